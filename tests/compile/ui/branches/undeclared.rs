//! A node in a branch that does not say what it writes.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [polish, shorten] -> end;
    }
}
