//! `each` without its list.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each { read } -> end;
    }
}
