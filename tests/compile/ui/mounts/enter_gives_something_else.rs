//! `enter` of a function that does not give what the graph takes in.

include!("../report.rs");

fn number(report: &Report) -> usize {
    report.notes.len()
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> writer -> end;
        writer: graph Writer, enter(number), exit(take);
    }
}
