//! A variant that begins two branches.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> some sources { Web => search, Files => plan, Web => shorten } -> end;
    }
}
