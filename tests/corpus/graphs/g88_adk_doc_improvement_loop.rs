//! Google's ADK: a loop as a mounted graph, which a tool ends.

use super::stub::*;

mod refinement_loop {
    use super::super::stub::*;

    stubs! {
        model CriticAgent, RefinerAgent(CriticAgent, End);
    }

    graph! {
        pub(crate) RefinementLoop(State, Deps) {
            start -> CriticAgent -> RefinerAgent;
            RefinerAgent -> match { CriticAgent => CriticAgent at_most 4 else end, End => end };
        }
    }
}

stubs! {
    model InitialWriterAgent;
}

graph! {
    pub(crate) AdkDocImprovementLoop(State, Deps) {
        start -> InitialWriterAgent -> RefinementLoop -> end;

        RefinementLoop: graph refinement_loop::RefinementLoop;
    }
}
