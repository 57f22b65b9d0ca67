//! A variant of an answer without an arm.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> sign;
        sign -> match { Approve => end, Declined | Cancelled => sign };
        sign: Sign;
    }
}
