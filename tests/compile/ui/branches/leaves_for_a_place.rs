//! A branch that goes on elsewhere than to its join.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search] -> sum_up -> end;
        search -> shorten if is_done;
        search -> sum_up;
        shorten -> end;
    }
}
