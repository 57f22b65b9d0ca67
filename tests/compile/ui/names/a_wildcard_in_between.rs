//! Arms behind `_`, and labels beside it.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next { _ => draft, Done => end };
        draft -> match next { Again => read, Ask | _ => end };
    }
}
