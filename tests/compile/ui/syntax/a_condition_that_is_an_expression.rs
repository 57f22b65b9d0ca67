//! An expression as a condition.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if !is_short;
        read -> draft;
        draft -> end if is_short && is_short;
        draft -> read;
    }
}
