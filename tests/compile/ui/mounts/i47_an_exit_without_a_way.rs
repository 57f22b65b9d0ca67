//! An exit of the graph without a way.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> hunt -> end;
        hunt: graph Hunt;
    }
}
