//! LangGraph's prebuilt agent, with everything on: a map of tool calls whose join decides.

use super::stub::*;

stubs! {
    plain pre_model_hook, post_model_hook;
    model agent, generate_structured_response;
    tools tools[item];
    list pending_calls;
    router post_model_hook_router(PreModelHook, Tools, GenerateStructuredResponse);
    router route_tool_responses(PreModelHook, End);
}

graph! {
    pub(crate) PrebuiltReactAgent(State, Deps) {
        start -> pre_model_hook -> agent -> post_model_hook;
        post_model_hook -> match post_model_hook_router {
            PreModelHook => pre_model_hook,
            Tools => each pending_calls { tools } -> match route_tool_responses { PreModelHook => pre_model_hook, End => end },
            GenerateStructuredResponse => generate_structured_response,
        };
        generate_structured_response -> end;
    }
}
