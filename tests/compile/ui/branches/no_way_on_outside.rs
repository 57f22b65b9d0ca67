//! A place that ends a branch, and stands outside of it as well.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search] -> sum_up;
        sum_up -> search if is_done;
        sum_up -> end;
    }
}
