//! What one person answered is not what another would.

include!("../mail.rs");

/// What it is about.
#[router]
pub fn subject(mail: &Mail) -> String {
    mail.text.clone()
}

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> Subject -> end;
        Subject: cache(subject, 1h);
    }
}
