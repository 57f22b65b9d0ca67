//! Both branches go on to one place, and that is not where they meet.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, skim] -> polish -> end;
        search | skim -> sum_up -> polish;
    }
}
