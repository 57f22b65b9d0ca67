//! A FastAPI template's agent.

use super::stub::*;

stubs! {
    model chat;
    tools tool_call;
    router _should_continue(Continue, End);
}

graph! {
    pub(crate) FastapiProductionTemplate(State, Deps) {
        start -> chat;
        chat -> match _should_continue { Continue => tool_call, End => end };
        tool_call -> chat;
    }
}
