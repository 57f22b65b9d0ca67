//! Two nodes that would be one place.

include!("../mail.rs");

mod letters {
    #[graphwright::node]
    pub fn read(_: &super::Mail) {}
}

mod notes {
    #[graphwright::node]
    pub fn read(_: &super::Mail) {}
}

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> letters::read -> notes::read -> end;
    }
}
