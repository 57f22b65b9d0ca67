//! What is of one place only, for all.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
        _: was("planned"), retry(3);
    }
}
