//! Stately's newspaper: guards in order, and a place that leads to itself.

use super::stub::*;

stubs! {
    tools search;
    model curate, write, critique, revise;
    plain done;
    guard no_critique;
}

graph! {
    pub(crate) XstateNewspaper(State, Deps) {
        start -> search -> curate -> write -> critique;
        critique -> done if no_critique;
        critique -> revise;
        revise -> revise at_most 3 else done;
        done -> end;
    }
}
