//! A node that chooses, and a router that chooses again.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> judge;
        judge -> match next { Again => judge, Ask | Done => end };
    }
}
