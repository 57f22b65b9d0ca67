//! A yes or no without the no.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match is_short { true => end };
    }
}
