//! LangGraph's simulated customer: a node called user that is a model.

use super::stub::*;

stubs! {
    model chat_bot, user;
    router should_continue(End, Continue);
}

graph! {
    pub(crate) ChatbotSimulation(State, Deps) {
        start -> chat_bot -> user;
        user -> match should_continue { End => end, Continue => chat_bot };
    }
}
