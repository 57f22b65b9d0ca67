//! An output that is not made of the state.

include!("../mail.rs");

graphwright::graph! {
    #[graph(output = Letter)]
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
    }
}
