//! What rustc proposes for a missing arm, taken as it is.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read,
            Ask => end,
            Next::Done => todo!(),
        };
    }
}
