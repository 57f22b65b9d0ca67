//! A misspelt variant of the set.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> some sources { Web => search, Flies => plan } -> end;
    }
}
