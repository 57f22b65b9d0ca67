//! A graph that does not say where it starts.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        read -> end;
    }
}
