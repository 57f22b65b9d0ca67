//! A fact that cannot be one of all places.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
        _: draft;
    }
}
