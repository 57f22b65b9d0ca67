//! LangGraph's tree search: a node called start.

use super::stub::*;

stubs! {
    model r#start, expand;
    router should_loop(Expand, End);
}

graph! {
    pub(crate) Lats(State, Deps) {
        start -> r#start;
        r#start | expand -> match should_loop { Expand => expand, End => end };
    }
}
