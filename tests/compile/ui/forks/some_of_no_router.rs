//! `some` of a node.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> some plan { Web => search, Files => sum_up } -> end;
    }
}
