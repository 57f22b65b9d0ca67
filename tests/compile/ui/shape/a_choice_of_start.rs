//! `start` has chosen nothing.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> match { Good => read, Bad => draft };
        read | draft -> end;
    }
}
