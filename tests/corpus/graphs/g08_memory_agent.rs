//! LangGraph's agent with a memory: what runs the tools is a node of its own.

use super::stub::*;

stubs! {
    model call_model;
    tools store_memory;
    router route_message(StoreMemory, End);
}

graph! {
    pub(crate) MemoryAgent(State, Deps) {
        start -> call_model;
        call_model -> match route_message { StoreMemory => store_memory, End => end };
        store_memory -> call_model;
    }
}
