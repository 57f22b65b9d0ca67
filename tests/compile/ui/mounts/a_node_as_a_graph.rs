//! A node that is mounted as a graph.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> searching -> end;
        searching: graph search;
    }
}
