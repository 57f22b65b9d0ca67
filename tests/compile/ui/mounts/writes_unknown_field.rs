//! `writes` of a field that the state does not have.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(open), exit(take), writes(note);
    }
}
