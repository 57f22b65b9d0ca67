//! A word that the grammar does not have.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end when is_short;
        read -> read;
    }
}
