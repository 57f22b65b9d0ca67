//! A router of another item than the one there is.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links match magnitude { Short => skim, Long => read } -> end;
    }
}
