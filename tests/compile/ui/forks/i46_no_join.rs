//! A fork that does not say where its branches meet.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> [search, approve];
        search | approve -> end;
        approve: Approve;
    }
}
