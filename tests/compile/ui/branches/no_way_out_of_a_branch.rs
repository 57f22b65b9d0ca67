//! A branch that only fails.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search] -> sum_up -> end;
        search -> match is_done { true => never, false => never };
    }
}
