//! `polish` might write anything.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [polish, plan] -> end;
    }
}
