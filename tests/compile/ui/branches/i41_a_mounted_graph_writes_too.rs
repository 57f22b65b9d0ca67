//! A mounted graph writes the field, too.

include!("../report.rs");

graphwright::graph! {
    /// Sums up.
    pub Summary(Report, Deps) {
        start -> search -> sum_up -> end;
    }
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> plan -> [shorten, part] -> search -> end;
        part: graph Summary;
    }
}
