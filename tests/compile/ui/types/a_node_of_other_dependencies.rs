//! A node that wants other dependencies.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> file -> end;
    }
}
