//! `exit` of a function that gives no update.

include!("../report.rs");

fn length(section: &Section) -> usize {
    section.text.len()
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(open), exit(length);
    }
}
