//! A budget that is no number.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read at_most many else end,
            Ask | Done => end,
        };
    }
}
