//! A router of another state, twice: it is wrong once.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if is_paid;
        read -> match is_paid { true => end, false => read };
    }
}
