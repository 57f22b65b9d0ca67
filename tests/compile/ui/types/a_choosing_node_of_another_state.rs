//! A wrong node that is matched on is one error, too.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> pay;
        pay -> match { Good => end, Bad => read };
    }
}
