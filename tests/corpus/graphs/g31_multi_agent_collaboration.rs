//! LangGraph's two agents that hand over to each other.

use super::stub::*;

stubs! {
    plain researcher(ChartGenerator, Finish);
    plain chart_generator(Researcher, Finish);
}

graph! {
    pub(crate) MultiAgentCollaboration(State, Deps) {
        start -> researcher;
        researcher -> match { ChartGenerator => chart_generator, Finish => end };
        chart_generator -> match { Researcher => researcher, Finish => end };
    }
}
