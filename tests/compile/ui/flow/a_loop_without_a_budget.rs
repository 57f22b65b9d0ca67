//! A loop that nothing bounds, in a graph that denies that.

include!("../report.rs");

graphwright::graph! {
    #[graph(deny(unbounded_loop))]
    pub Desk(Report, Deps) {
        start -> plan;
        plan -> search;
        search -> end if is_done;
        search -> plan;
    }
}
