//! Under these `#[cfg]`s both are left.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        #[cfg(all())]
        read -> draft;
        #[cfg(not(any()))]
        read -> end;
        draft -> end;
    }
}
