//! Two ways that are both always open.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft;
        read -> send;
        draft | send -> end;
    }
}
