//! The budget belongs to the target.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft if is_short at_most 3 else send;
        read -> end;
        draft | send -> end;
    }
}
