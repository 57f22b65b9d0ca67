//! The exit of a graph as the label of a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> some sources { Web => search, end => plan } -> end;
    }
}
