//! A misspelt state.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mial, Deps) {
        start -> read;
        read -> draft -> end;
    }
}
