//! `search` goes to the join by itself, and outside there is none.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [search, shorten] -> polish;
        polish -> search if is_done;
        polish -> end;
    }
}
