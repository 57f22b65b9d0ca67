//! LangGraph's assistant that writes code and runs it.

use super::stub::*;

stubs! {
    model generate, reflect;
    plain check_code;
    router decide_to_finish(End, Reflect, Generate);
}

graph! {
    pub(crate) CodeAssistant(State, Deps) {
        start -> generate -> check_code;
        check_code -> match decide_to_finish { End => end, Reflect => reflect, Generate => generate };
        reflect -> generate;
    }
}
