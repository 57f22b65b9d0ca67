//! Both write the summary.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search -> sum_up, shorten] -> end;
    }
}
