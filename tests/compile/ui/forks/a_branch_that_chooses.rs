//! A `match` inside of a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search -> match source { Web => sum_up, Files => polish }] -> end;
    }
}
