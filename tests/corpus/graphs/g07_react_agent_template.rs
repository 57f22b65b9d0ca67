//! LangGraph's template of an agent: the smallest useful loop.

use super::stub::*;

stubs! {
    model call_model;
    tools tools;
    router route_model_output(Tools, End);
}

graph! {
    pub(crate) ReactAgentTemplate(State, Deps) {
        start -> call_model;
        call_model -> match route_model_output { Tools => tools, End => end };
        tools -> call_model;
    }
}
