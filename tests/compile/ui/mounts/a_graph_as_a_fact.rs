//! A graph as what a name stands for, without the word `graph`.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> first -> end;
        first: Lookup;
    }
}
