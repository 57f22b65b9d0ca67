//! A branch that ends the run while the other one still works.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, shorten] -> polish -> end;
        search -> end if is_done;
        search -> polish;
    }
}
