//! Facts about names that no arrow mentions.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> read;
        read -> end;
        raed: as "Reads";
        zebra: as "Zebra";
    }
}
