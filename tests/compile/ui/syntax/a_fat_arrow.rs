//! The arrow of arms between places.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read => end;
    }
}
