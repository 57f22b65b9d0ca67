//! A graph that would be tried again as a whole.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> lookup -> end;
        lookup: graph Lookup, retry(3);
    }
}
