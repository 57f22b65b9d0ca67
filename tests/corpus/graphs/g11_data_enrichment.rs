//! LangGraph's agent that fills tables in: two routers, and a model that may call itself.

use super::stub::*;

stubs! {
    model call_agent_model, reflect;
    tools tools;
    router route_after_agent(Reflect, Tools, CallAgentModel, End);
    router route_after_checker(End, CallAgentModel);
}

graph! {
    pub(crate) DataEnrichment(State, Deps) {
        start -> call_agent_model;
        call_agent_model -> match route_after_agent {
            Reflect => reflect,
            Tools => tools,
            CallAgentModel => call_agent_model,
            End => end,
        };
        reflect -> match route_after_checker { End => end, CallAgentModel => call_agent_model };
        tools -> call_agent_model;
    }
}
