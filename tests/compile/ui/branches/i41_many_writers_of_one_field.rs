//! Each item writes the summary.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> each links { read -> sum_up } -> end;
    }
}
