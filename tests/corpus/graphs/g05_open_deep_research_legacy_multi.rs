//! Open Deep Research, the older form with a supervisor: the node that runs the tools also chooses the way.

use super::stub::*;

mod research {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model research_agent;
        tools research_agent_tools;
        router research_agent_should_continue(ResearchAgentTools, End);
    }

    graph! {
        pub(crate) Research(State, Deps) {
            start -> research_agent;
            research_agent -> match research_agent_should_continue { ResearchAgentTools => research_agent_tools, End => end };
            research_agent_tools -> research_agent at_most 10 else end;
        }
    }
}

use research::Research;

stubs! {
    model supervisor;
    tools supervisor_tools(Sections, Other, Question, Report);
    list requested_sections;
    router supervisor_should_continue(SupervisorTools, End);
}

graph! {
    pub(crate) OpenDeepResearchLegacyMulti(State, Deps) {
        start -> supervisor;
        supervisor -> match supervisor_should_continue { SupervisorTools => supervisor_tools, End => end };
        supervisor_tools -> match {
            Sections => each requested_sections { research_team } -> supervisor,
            Other => supervisor,
            Question | Report => end,
        };

        research_team: graph Research, enter(open_item), exit(close), writes(notes);
    }
}
