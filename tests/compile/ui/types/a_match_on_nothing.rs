//! A `match` on a node that does not choose.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match { Good => end, Bad => read };
    }
}
