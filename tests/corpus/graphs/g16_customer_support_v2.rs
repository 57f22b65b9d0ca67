//! LangGraph's customer support, second part: tools before the model are nobody's business.

use super::stub::*;

stubs! {
    tools fetch_user_info, tools;
    model assistant;
    router tools_condition(Tools, End);
}

graph! {
    pub(crate) CustomerSupportV2(State, Deps) {
        start -> fetch_user_info -> assistant;
        assistant -> match tools_condition { Tools => tools, End => end };
        tools -> assistant;
    }
}
