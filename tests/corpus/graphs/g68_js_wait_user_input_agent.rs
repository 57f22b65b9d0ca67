//! LangGraph.js: the question to the user beside the tools.

use super::stub::*;

stubs! {
    asking agent;
    tools action;
    router shouldContinue(Action, End);
}

graph! {
    pub(crate) JsWaitUserInputAgent(State, Deps) {
        start -> agent;
        agent -> askHuman if ask_user_pending;
        agent -> match shouldContinue { Action => action, End => end };
        action | askHuman -> agent;

        askHuman: elicitation;
    }
}
