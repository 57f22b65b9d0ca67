//! A misspelt variant of an answer.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> sign;
        sign -> match { Aprove | Edit => end, Declined | Cancelled => sign };
        sign: Sign;
    }
}
