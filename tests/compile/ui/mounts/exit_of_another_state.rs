//! `exit` of a function that takes something else.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(open), exit(open);
    }
}
