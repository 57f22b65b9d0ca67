//! The join goes on to the end by itself.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, shorten] -> end;
        search -> end;
    }
}
