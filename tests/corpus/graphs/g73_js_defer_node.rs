//! LangGraph.js: two branches of unequal length that meet.

use super::stub::*;

stubs! {
    plain a, b, b_2, c, d;
}

graph! {
    pub(crate) JsDeferNode(State, Deps) { start -> a -> [b -> b_2, c] -> d -> end; }
}
