//! A graph that starts twice.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        start -> draft;
        read | draft -> end;
    }
}
