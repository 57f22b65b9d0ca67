//! A misspelt exit.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> hunt;
        hunt -> match { end => sum_up, notihng => end };
        sum_up -> end;
        hunt: graph Hunt;
    }
}
