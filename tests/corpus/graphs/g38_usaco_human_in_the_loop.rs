//! LangGraph's solver of contest problems, with a person in the loop.

use super::stub::*;

stubs! {
    model draft, solve;
    tools retrieve;
    plain evaluate;
    router control_edge(End, Solve);
}

graph! {
    pub(crate) UsacoHumanInTheLoop(State, Deps) {
        start -> draft -> retrieve -> solve -> evaluate;
        evaluate -> match control_edge { End => end, Solve => solve };
    }
}
