//! Behind a fork nothing has chosen.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> [plan, search] -> match { Web => sum_up, Files => end };
        sum_up -> end;
    }
}
