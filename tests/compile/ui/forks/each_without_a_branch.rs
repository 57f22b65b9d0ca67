//! `each` without a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links -> end;
    }
}
