//! LangGraph's LLM compiler: a node called join.

use super::stub::*;

stubs! {
    tools plan_and_schedule;
    model join;
    router should_continue(PlanAndSchedule, End);
}

graph! {
    pub(crate) LlmCompiler(State, Deps) {
        start -> plan_and_schedule -> join;
        join -> match should_continue { PlanAndSchedule => plan_and_schedule, End => end };
    }
}
