//! A graph mounted in itself.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> again -> end;
        again: graph Desk;
    }
}
