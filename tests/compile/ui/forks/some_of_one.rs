//! `some` of a router that names one way.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> some source { Web => search, Files => plan } -> end;
    }
}
