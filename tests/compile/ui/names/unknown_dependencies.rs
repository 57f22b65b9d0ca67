//! Misspelt dependencies.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Dpes) {
        start -> read;
        read -> draft -> end;
    }
}
