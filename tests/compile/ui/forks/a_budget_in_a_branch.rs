//! A budget inside of a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search at_most 3 else sum_up] -> end;
    }
}
