//! A branch that begins its own fork again.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, shorten] -> polish -> end;
        search -> plan if is_done;
        search -> polish;
    }
}
