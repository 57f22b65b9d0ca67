//! One place in two branches.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan -> search, read_on -> search] -> sum_up -> end;
        read_on: plan;
    }
}
