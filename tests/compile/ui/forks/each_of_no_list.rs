//! `each` of a router that gives no list.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each source { plan } -> end;
    }
}
