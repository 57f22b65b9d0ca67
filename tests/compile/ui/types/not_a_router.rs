//! A node where a router stands.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match draft { Again => read, Done => end };
    }
}
