//! A question that would be asked again.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> approve;
        approve -> match { Print => end, Revise | Declined | Cancelled => approve };
        approve: Approve, retry(3);
    }
}
