//! Under these `#[cfg]`s both are left.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        #[cfg(all())]
        start -> read;
        #[cfg(not(any()))]
        start -> draft;
        read -> draft -> end;
    }
}
