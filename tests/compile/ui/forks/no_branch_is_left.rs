//! Under these `#[cfg]`s the fork is empty.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> [#[cfg(any())] read, #[cfg(any())] draft] -> send -> end;
    }
}
