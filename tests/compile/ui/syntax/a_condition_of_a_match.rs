//! A condition on a `match`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next { Again => read, Ask | Done => end } if is_short;
    }
}
