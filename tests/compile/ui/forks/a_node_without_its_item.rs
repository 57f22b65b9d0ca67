//! A node that wants an item, where there is none.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> read -> end;
    }
}
