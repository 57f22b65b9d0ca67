//! A policy that is said twice.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        plan: retry(3), timeout(1s), retry(4);
    }
}
