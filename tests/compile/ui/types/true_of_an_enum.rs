//! `true` and `false` of a router that names ways.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next { true => end, false => read };
    }
}
