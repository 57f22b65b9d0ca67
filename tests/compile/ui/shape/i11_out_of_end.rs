//! An arrow out of `end`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft -> end;
        end -> draft;
    }
}
