//! The arms of an answer where nobody was asked.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match { Accepted => end, Declined | Cancelled => read };
    }
}
