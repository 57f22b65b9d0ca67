//! Words of facts, each with a slip.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> lookup -> end;
        lookup: grpah Lookup;
        plan: sa "Plans", timeout(5s);
    }
}
