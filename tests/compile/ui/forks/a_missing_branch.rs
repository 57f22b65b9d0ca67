//! A variant of the set without a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> some sources { Web => search } -> end;
    }
}
