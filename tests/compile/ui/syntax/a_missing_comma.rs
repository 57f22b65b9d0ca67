//! An arm without its `,`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => read
            Ask | Done => end,
        };
    }
}
