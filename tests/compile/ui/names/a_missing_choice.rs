//! A variant of a node's own choice without an arm: without it there is no way out, which is not said.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> judge;
        judge -> match { Bad => judge };
    }
}
