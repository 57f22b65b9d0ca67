//! LangGraph's tree of thoughts: a place that stands outside of a map and in it.

use super::stub::*;

stubs! {
    model expand[item?];
    plain score, prune;
    list candidates;
    router should_terminate(Expand, End);
}

graph! {
    pub(crate) TreeOfThoughts(State, Deps) {
        start -> expand -> score -> prune;
        prune -> match should_terminate { Expand => each candidates { expand } -> score, End => end };
    }
}
