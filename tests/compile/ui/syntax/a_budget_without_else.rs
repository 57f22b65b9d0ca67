//! A budget that does not say where to go after it.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read at_most 3,
            Ask | Done => end,
        };
    }
}
