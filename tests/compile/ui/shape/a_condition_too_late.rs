//! A condition behind a way that is always open.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft;
        read -> end if is_short;
        draft -> end;
    }
}
