//! A name that stands for two nodes.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> first;
        first -> end;
        first: read;
        first: draft;
    }
}
