//! A condition on a chain of arrows.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft -> end if is_short;
        read -> end;
    }
}
