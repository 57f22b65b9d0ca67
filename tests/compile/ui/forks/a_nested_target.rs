//! A list of targets in an arm.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> match source { Web => [search, sum_up], Files => end };
    }
}
