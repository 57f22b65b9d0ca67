//! A breakpoint, which the grammar does not have.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read -> end;
        break before read;
    }
}
