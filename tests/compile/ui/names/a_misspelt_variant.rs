//! A misspelt variant of a router.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Agian => read,
            Ask | Done => end,
        };
    }
}
