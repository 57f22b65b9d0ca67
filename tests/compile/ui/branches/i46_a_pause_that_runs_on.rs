//! The other branch runs on to the end while somebody is asked.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, approve] -> sum_up -> end;
        search -> end;
        approve -> match { Print => sum_up, Revise | Declined | Cancelled => sum_up };
        approve: Approve;
    }
}
