//! A misspelt word behind a target.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> read atmost 3 else end;
    }
}
