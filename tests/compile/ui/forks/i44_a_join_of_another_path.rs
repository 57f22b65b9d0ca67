//! A join over a place that the fork does not begin.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> match source { Web => search, Files => shorten };
        search -> [polish, sum_up] -> end;
        [polish, sum_up, shorten] -> end;
    }
}
