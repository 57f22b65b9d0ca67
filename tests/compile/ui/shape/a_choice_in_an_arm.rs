//! A node's own choice inside of an arm.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> judge;
        judge -> match next {
            Again => match { Good => end, Bad => judge },
            Ask | Done => end,
        };
    }
}
