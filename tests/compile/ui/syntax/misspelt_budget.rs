//! Words behind a target, each with a slip.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> read at_mots 3 else end;
        draft -> send iff is_short;
        send -> read onn error;
    }
}
