//! Settings that cannot be stored.

include!("../mail.rs");

graphwright::graph! {
    #[graph(settings = Letter)]
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
    }
}
