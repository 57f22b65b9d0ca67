//! `enter` without the way back.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(open);
    }
}
