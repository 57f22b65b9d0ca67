//! A node that works on another item.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links { weigh } -> end;
    }
}
