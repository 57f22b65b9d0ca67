//! A kind of item without a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links match size { Short => read } -> end;
    }
}
