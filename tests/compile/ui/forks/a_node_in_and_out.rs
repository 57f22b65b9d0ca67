//! A node in a branch of `each`, and outside: there it has no item.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links { read } -> sum_up;
        sum_up -> read if is_done;
        sum_up -> end;
        read -> end;
    }
}
