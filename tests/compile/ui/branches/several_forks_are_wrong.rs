//! Each fork is said for itself.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [sum_up, shorten] -> plan -> [search, polish] -> end;
    }
}
