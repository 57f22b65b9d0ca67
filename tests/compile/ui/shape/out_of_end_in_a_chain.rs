//! An arrow that leads on from `end`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft -> end -> read;
    }
}
