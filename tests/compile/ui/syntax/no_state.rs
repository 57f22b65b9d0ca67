//! A graph without its state.

include!("../mail.rs");

graphwright::graph! {
    pub Desk {
        start -> read;
        read -> end;
    }
}
