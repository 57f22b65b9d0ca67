//! LangGraph's Reflexion: tools run after the model without a question.

use super::stub::*;

stubs! {
    model draft, revise;
    tools execute_tools;
    router event_loop(ExecuteTools, End);
}

graph! {
    pub(crate) Reflexion(State, Deps) {
        start -> draft -> execute_tools -> revise;
        revise -> match event_loop { ExecuteTools => execute_tools, End => end };
    }
}
