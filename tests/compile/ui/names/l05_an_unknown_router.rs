//! A misspelt router.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end if is_shrot;
        read -> read;
    }
}
