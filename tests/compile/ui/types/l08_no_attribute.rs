//! A function without `#[node]`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> forgot -> end;
    }
}
