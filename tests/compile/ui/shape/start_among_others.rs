//! `start` as one of several sources.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start | read -> draft;
        draft -> end;
    }
}
