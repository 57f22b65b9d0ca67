//! `enter` at a place that is no graph.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: enter(open), exit(take);
    }
}
