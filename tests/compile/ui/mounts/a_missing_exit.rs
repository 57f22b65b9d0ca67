//! An exit of the graph without an arm.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> hunt;
        hunt -> match { end => sum_up };
        sum_up -> end;
        hunt: graph Hunt;
    }
}
