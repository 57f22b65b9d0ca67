//! A ring inside of a branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search] -> sum_up -> end;
        search -> polish -> search;
    }
}
