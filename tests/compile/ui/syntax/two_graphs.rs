//! Two graphs in one `graph!`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) { start -> read -> end; }
    pub Other(Mail, Deps) { start -> read -> end; }
}
