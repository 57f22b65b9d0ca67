//! Under this `#[cfg]` no way without a condition is left.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft if is_short;
        #[cfg(any())]
        read -> end;
        draft -> end;
    }
}
