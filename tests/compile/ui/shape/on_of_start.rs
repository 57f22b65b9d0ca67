//! `start` cannot fail.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        start -> send on error;
        read | send -> end;
    }
}
