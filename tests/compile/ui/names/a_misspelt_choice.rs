//! A misspelt variant of a node's own choice.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> judge;
        judge -> match { Good => end, Bda => judge };
    }
}
