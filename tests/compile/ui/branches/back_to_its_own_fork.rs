//! A branch that leads back to its fork.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, again] -> sum_up -> end;
        search -> plan if is_done;
        search -> sum_up;
        again: plan;
    }
}
