//! A fork without branches.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [] -> end;
    }
}
