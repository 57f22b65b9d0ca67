//! Variants of a router that says yes or no.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match is_short { Short => end, Long => read };
    }
}
