//! Ways `on` something are refused by name.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft on error;
        read | draft -> end;
    }
}
