//! A join written by itself, over branches that a router may leave out: the grammar has none.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> match source { Web => search, Files => sum_up };
        [search, sum_up] -> end;
    }
}
