//! LangGraph's customer support, third part: tools of two kinds.

use super::stub::*;

stubs! {
    tools fetch_user_info, safe_tools, sensitive_tools;
    model assistant;
    router route_tools(SafeTools, SensitiveTools, End);
}

graph! {
    pub(crate) CustomerSupportV3(State, Deps) {
        start -> fetch_user_info -> assistant;
        assistant -> match route_tools { SafeTools => safe_tools, SensitiveTools => sensitive_tools, End => end };
        safe_tools | sensitive_tools -> assistant;
    }
}
