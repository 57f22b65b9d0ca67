//! Nothing counts how often it is gone round.

include!("../report.rs");

graphwright::graph! {
    #[graph(deny(unbounded_loop))]
    pub Desk(Report, Deps) {
        start -> plan -> search;
        search -> end if is_done;
        search -> plan;
    }
}
