//! A variant with two arms.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read,
            Ask => end,
            Done | Again => end,
        };
    }
}
