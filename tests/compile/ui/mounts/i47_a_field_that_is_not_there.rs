//! The graph needs a field that the state around it lacks: it works on another state.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer;
    }
}
