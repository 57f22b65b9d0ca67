//! A misspelt graph.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> lookup -> end;
        lookup: graph Lokup;
    }
}
