//! `each` and `some` without what they lead to, a branch without its comma, and a type that is none.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail) {
        start -> each letters -> read;
        read -> some readers -> read;
        read -> [read read] -> read;
        _ -> end;
    }
}

graphwright::graph! {
    pub Other(Mail, if) {
        start -> read;
        read -> end;
    }
}
