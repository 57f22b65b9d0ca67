//! A type that is no state: no node is to blame.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Letter, Deps) {
        start -> read;
        read -> draft -> end;
    }
}
