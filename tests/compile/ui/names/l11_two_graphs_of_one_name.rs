//! Two graphs of one name in one module.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> search -> end;
    }
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> end;
    }
}
