//! A way on expiry of a node.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> end;
        plan -> sum_up on expiry;
        sum_up -> end;
        plan: expires(3h);
    }
}
