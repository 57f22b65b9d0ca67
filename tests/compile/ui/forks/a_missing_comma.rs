//! Two branches without a comma.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan search] -> end;
    }
}
