//! A plain way beside a `match`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next { Again => draft, Ask | Done => end };
        read -> end;
        draft -> read;
    }
}
