//! Comparisons and fields behind `if`.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> draft if length > 3;
        read -> end;
        draft -> end if mail.text.is_empty();
        draft -> send;
        send -> end;
    }
}
