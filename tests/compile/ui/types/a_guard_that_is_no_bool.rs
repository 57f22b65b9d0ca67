//! A condition that does not say yes or no.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if next;
        read -> read;
    }
}
