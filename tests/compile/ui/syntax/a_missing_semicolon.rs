//! A statement without its `;`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read
        read -> end;
    }
}
