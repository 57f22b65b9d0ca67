//! A key of the cache that is no router.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: cache(sum_up, 10min);
    }
}
