//! `end` as a step of a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search -> end] -> sum_up -> end;
    }
}
