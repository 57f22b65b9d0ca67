//! Forks are refused by name, and the rest of the graph is checked.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> [draft, send] -> judge;
        judge -> match { Good => end, Bda => read };
    }
}
