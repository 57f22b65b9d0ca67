//! Mounted graphs are refused by name.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> helper;
        helper -> match { end => end, failed => read };
        helper: graph Helper;
    }
}
