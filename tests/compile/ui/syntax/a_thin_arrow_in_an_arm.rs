//! The arrow of places in an arm.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again -> read,
            Ask | Done => end,
        };
    }
}
