//! A budget that lets nothing through, and one that is too large.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read at_most 0 else end,
            Ask => read at_most 4294967296 else end,
            Done => end,
        };
    }
}
