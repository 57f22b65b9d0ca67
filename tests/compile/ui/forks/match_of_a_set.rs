//! `match` on a router that names several ways.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> match sources { Web => search, Files => plan };
        search | plan -> end;
    }
}
