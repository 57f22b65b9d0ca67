//! A type that is no node.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> Letter -> end;
    }
}
