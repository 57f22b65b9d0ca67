//! Two branches that write one field.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [shorten, sum_up] -> search -> end;
    }
}
