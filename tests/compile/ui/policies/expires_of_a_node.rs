//! A node has no question.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: expires(3h);
    }
}
