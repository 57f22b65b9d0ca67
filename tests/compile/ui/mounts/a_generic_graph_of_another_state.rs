//! A graph with parameters, mounted over a state that lacks what it asks.

include!("../report.rs");

graphwright::graph! {
    pub Desk(Section, Deps) {
        start -> sayer -> end;
        sayer: graph Sayer;
    }
}
