//! A way for a question that never expires.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> approve;
        approve -> match { Print => end, Revise | Declined | Cancelled => approve };
        approve -> end on expiry;
        approve: Approve;
    }
}
