//! A graph that stands where a node stands.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> Lookup -> end;
    }
}
