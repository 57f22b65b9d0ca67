//! A bound on branches at a place that begins none.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: at_once(8);
    }
}
