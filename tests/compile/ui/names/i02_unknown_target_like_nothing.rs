//! A node that nothing is like.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> zebra -> end;
    }
}
