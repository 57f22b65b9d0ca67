//! `start`, with a slip.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        strat -> read;
        read -> end;
    }
}
