//! LangGraph's prebuilt supervisor: in the source a tool of a mounted graph chooses the next place of the graph around it.

use super::stub::*;

mod supervisor_agent {
    use super::super::stub::*;

    stubs! {
        model agent;
        tools tools;
        router tool_calls(Tools, End);
        router handed_off(Handoff, No);
    }

    graph! {
        pub(crate) SupervisorAgent(State, Deps) {
            start -> agent;
            agent -> match tool_calls { Tools => tools, End => end };
            tools -> match handed_off { Handoff => end handoff, No => agent };
        }
    }
}

mod prebuilt {
    use super::super::stub::*;

    stubs! {
        model agent;
        tools tools;
        router tool_calls(Tools, End);
    }

    graph! {
        pub(crate) Prebuilt(State, Deps) {
            start -> agent;
            agent -> match tool_calls { Tools => tools, End => end };
            tools -> agent;
        }
    }
}

use prebuilt::Prebuilt;
use supervisor_agent::SupervisorAgent;

stubs! {
    set handoffs(Researcher, Mathematician);
}

graph! {
    pub(crate) SupervisorPrebuilt(State, Deps) {
        start -> supervisor;
        supervisor -> match {
            handoff => some handoffs { Researcher => researcher, Mathematician => mathematician } -> supervisor,
            end => end,
        };

        supervisor: graph SupervisorAgent;
        researcher: graph Prebuilt;
        mathematician: graph Prebuilt;
    }
}
