//! A router that is shared: what it does not say at one place, is said there by `never`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next { Again => draft, Done => end };
        draft -> match next { Ask => read, Done => end };
    }
}
