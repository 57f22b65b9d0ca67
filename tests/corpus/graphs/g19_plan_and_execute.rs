//! LangGraph's planner that has its plan carried out step by step.

use super::stub::*;

pub(super) mod agent_executor {
    use super::super::stub::{Inner as State, *};

    stubs! {
        model agent;
        tools tools;
        router tool_calls(Tools, End);
    }

    graph! {
        pub(crate) AgentExecutor(State, Deps) {
            start -> agent;
            agent -> match tool_calls { Tools => tools, End => end };
            tools -> agent;
        }
    }
}

stubs! {
    model planner, replan;
    plain agent;
    router should_end(Agent, End);
}

graph! {
    pub(crate) PlanAndExecute(State, Deps) {
        start -> planner -> agent -> replan;
        replan -> match should_end { Agent => agent, End => end };
    }
}
