//! An attribute that is no `#[cfg]`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        /// Begins.
        start -> read;
        read -> end;
    }
}
