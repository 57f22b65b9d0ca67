//! Facts that are said twice.

include!("../mail.rs");

graphwright::graph! {
    pub Desk(Mail, Deps) {
        start -> first;
        first -> end;
        first: read as "Reads";
        first: draft;
        first: as "Reads it";
    }
}
