//! A way `on` nothing known.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft on eror;
        read | draft -> end;
    }
}
