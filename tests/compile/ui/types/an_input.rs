//! An input that is no update.

include!("../mail.rs");

graphwright::graph! {
    #[graph(input = Letter)]
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
    }
}
