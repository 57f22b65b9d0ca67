//! `polish` is right where it is come to from `sum_up`.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, shorten] -> sum_up -> polish -> end;
        search -> polish;
    }
}
