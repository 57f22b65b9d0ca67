//! LangGraph's template of research over documents: a node that runs another graph, again and again.

use super::stub::*;

pub(super) mod researcher_graph {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model generate_queries;
        tools retrieve_documents[item];
        list retrieve_in_parallel;
    }

    graph! {
        pub(crate) ResearcherGraph(State, Deps) { start -> generate_queries -> each retrieve_in_parallel { retrieve_documents } -> end; }
    }
}

stubs! {
    model analyze_and_route_query, create_research_plan, ask_for_more_info, respond_to_general_query, respond;
    plain conduct_research;
    router route_query(CreateResearchPlan, AskForMoreInfo, RespondToGeneralQuery);
    router check_finished(Respond, ConductResearch);
}

graph! {
    pub(crate) RagResearchAgent(State, Deps) {
        start -> analyze_and_route_query;
        analyze_and_route_query -> match route_query {
            CreateResearchPlan => create_research_plan,
            AskForMoreInfo => ask_for_more_info,
            RespondToGeneralQuery => respond_to_general_query,
        };
        create_research_plan -> conduct_research;
        conduct_research -> match check_finished { Respond => respond, ConductResearch => conduct_research };
        ask_for_more_info | respond_to_general_query | respond -> end;
    }
}
