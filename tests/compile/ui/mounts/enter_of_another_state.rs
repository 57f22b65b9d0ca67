//! `enter` of a function that takes another state.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(take), exit(take);
    }
}
