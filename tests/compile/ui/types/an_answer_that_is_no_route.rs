//! Variants of an answer that has none.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> subject;
        subject -> match { Long => end, Short => subject };
        subject: Subject;
    }
}
