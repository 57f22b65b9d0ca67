//! A question that expires, and arms for answers only.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> approve;
        approve -> match { Print => end, Revise | Declined | Cancelled => approve };
        approve: Approve, expires(48h);
    }
}
