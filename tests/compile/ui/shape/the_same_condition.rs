//! The second is never taken.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft if is_short;
        read -> send if is_short;
        read -> end;
        draft -> send -> end;
    }
}
