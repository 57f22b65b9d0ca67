//! One place as two branches.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [search, search] -> sum_up -> end;
    }
}
