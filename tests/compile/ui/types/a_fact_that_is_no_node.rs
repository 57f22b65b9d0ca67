//! A name that stands for no node.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> first;
        first -> end;
        first: Letter;
    }
}
