//! An arrow out of `end`, and one that goes on behind it.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
        end -> draft;
        draft -> end -> read;
    }
}
