//! An old name that is still in use.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> search -> end;
        plan: was("search");
    }
}
