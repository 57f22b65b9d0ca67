//! An `else` behind a condition.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if is_short else draft;
        draft -> end;
    }
}
