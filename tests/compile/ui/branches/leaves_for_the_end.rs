//! A branch that ends the run.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search] -> sum_up -> end;
        search -> end;
    }
}
