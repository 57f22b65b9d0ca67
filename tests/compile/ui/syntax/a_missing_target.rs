//! An arrow without a target, and one before a `,`: both are said, the rest is checked.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next {
            Again => ,
            Ask => draft,
            Done => end,
        };
        draft -> ;
    }
}
