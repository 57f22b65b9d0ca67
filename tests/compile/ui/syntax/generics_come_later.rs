//! Generic graphs are refused by name.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read -> end;
    }
}

graphwright::graph! {
    pub Any<D: Send + Sync + 'static>(Mail, D) {
        start -> read -> end;
    }
}
