//! `enter` of a function that does not exist.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(opne), exit(take);
    }
}
