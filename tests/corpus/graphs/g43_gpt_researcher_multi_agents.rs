//! GPT Researcher's team: two labels that lead to one place.

use super::stub::*;

pub(super) mod draft_graph {
    use super::super::stub::{Inner as State, *};

    stubs! {
        tools researcher;
        model reviewer, reviser;
        router _route_draft_review(Accept, Revise);
    }

    graph! {
        pub(crate) DraftGraph(State, Deps) {
            start -> researcher -> reviewer;
            reviewer -> match _route_draft_review { Accept => end, Revise => reviser };
            reviser -> reviewer;
        }
    }
}

stubs! {
    tools browser;
    model planner, writer, fact_checker, visualizer;
    plain researcher, publisher;
    human human;
    router plan_review(Accept, ForceAccept, Revise);
    router _route_fact_check(Accept, Revise);
}

graph! {
    pub(crate) GptResearcherMultiAgents(State, Deps) {
        start -> browser -> planner -> human;
        human -> match plan_review { Accept | ForceAccept => researcher, Revise => planner };
        researcher -> writer -> fact_checker;
        fact_checker -> match _route_fact_check { Accept => visualizer, Revise => writer };
        visualizer -> publisher -> end;
    }
}
