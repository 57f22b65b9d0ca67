//! An arm for `Accepted`, and none for somebody who goes away.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> subject;
        subject -> match { Accepted => end, Declined => subject };
        subject: Subject;
    }
}
