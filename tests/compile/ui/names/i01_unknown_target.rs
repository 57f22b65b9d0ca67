//! A misspelt node.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> drfat -> end;
    }
}
