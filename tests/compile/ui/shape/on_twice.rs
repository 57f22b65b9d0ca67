//! Two ways for one error.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
        read -> send on error;
        read -> draft on error;
        send | draft -> end;
    }
}
