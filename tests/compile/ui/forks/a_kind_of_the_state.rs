//! A router of the state where one of the item stands.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links match source { Web => skim, Files => read } -> end;
    }
}
