//! Two places that were one.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> search -> end;
        plan: was("begin");
        search: was("begin");
    }
}
