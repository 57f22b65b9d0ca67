//! The second writer stands further down in its branch.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [shorten, search -> sum_up] -> polish -> end;
    }
}
