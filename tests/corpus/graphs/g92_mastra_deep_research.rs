//! Mastra's research: a mounted graph that pauses twice, in a loop.

use super::stub::*;

mod research_workflow {
    use super::super::stub::*;

    stubs! {
        human get_user_query, approval;
        model research;
    }

    graph! {
        pub(crate) ResearchWorkflow(State, Deps) {
            start -> get_user_query -> research -> approval -> end;

            get_user_query: as "get-user-query";
        }
    }
}

use research_workflow::ResearchWorkflow;

stubs! {
    model process_research_result;
    router do_while(NotApproved, Approved);
}

graph! {
    pub(crate) MastraDeepResearch(State, Deps) {
        start -> research_workflow;
        research_workflow -> match do_while { NotApproved => research_workflow, Approved => process_research_result };
        process_research_result -> end;

        research_workflow: graph ResearchWorkflow as "research-workflow";
        process_research_result: as "process-research-result";
    }
}
