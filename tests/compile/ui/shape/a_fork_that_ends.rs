//! A fork that does not go on.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> [draft, send];
        draft | send -> end;
    }
}
