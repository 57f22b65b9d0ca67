//! A key of the cache that is no text.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: cache(is_done, 10min);
    }
}
