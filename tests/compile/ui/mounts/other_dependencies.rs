//! A graph over other dependencies.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> filer -> end;
        filer: graph Filer;
    }
}
