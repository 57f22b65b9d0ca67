//! What is behind it is never reached.

include!("../mail.rs");

graphwright::graph! {
    #[graph(endless)]
    pub Turning(Mail, Deps) {
        start -> draft -> draft;
    }
}

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> turning -> send -> end;
        turning: graph Turning;
    }
}
