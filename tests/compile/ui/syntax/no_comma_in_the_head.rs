//! The state and the dependencies without a comma.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail Deps) {
        start -> read;
        read -> end;
    }
}
