//! symfonic-core: the loop of model and tools that asks the user first.

use super::stub::*;

stubs! {
    plain compaction;
    asking react;
    tools tools;
    router elicitation_condition(Continue, Finish);
}

graph! {
    pub(crate) SymfonicReactLoopAskUser(State, Deps) {
        start -> compaction -> react;
        react -> elicitation if ask_user_pending;
        react -> match elicitation_condition { Continue => tools, Finish => end };
        elicitation | tools -> react;
    }
}
