//! `match`, with a slip.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> mathc next { Again => read, Ask | Done => end };
    }
}
