//! `end =>` of a node.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> match { end => end };
    }
}
