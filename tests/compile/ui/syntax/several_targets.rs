//! A list where a target stands.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft, send;
        draft | send -> end;
    }
}
