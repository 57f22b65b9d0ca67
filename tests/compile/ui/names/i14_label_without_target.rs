//! A variant without an arm.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read,
            Ask => end,
        };
    }
}
