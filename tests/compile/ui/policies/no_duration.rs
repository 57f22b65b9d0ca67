//! Numbers that are no duration.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: timeout(60), expires(3hours);
    }
}
