//! A place whose ways all have a condition.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if is_short;
    }
}
