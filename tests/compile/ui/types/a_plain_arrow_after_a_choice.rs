//! A node that chooses, and a plain arrow.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> judge;
        judge -> end;
    }
}
