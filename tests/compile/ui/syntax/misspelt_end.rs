//! `end` and `never`, each with a slip.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> match next { Again => read, Ask => nevr, Done => edn };
    }
}
