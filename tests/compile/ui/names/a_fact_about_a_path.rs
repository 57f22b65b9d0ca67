//! A fact about a path.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
        self::read: as "Reads";
    }
}
