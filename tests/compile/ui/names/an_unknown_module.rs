//! A misspelt module.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> nods::draft -> end;
    }
}
