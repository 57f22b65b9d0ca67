//! A field of the graph has another type than that of the same name around it.

include!("../report.rs");

/// What is filed: its notes are one text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Filed {
    /// They.
    pub notes: String,
}

/// Files it.
#[node]
pub fn put_away(_: &Filed) {}

graphwright::graph! {
    /// Files.
    pub Filing(Filed, Deps) {
        start -> put_away -> end;
    }
}

graphwright::graph! {
    pub Desk(Report, Deps) {
        start -> filing -> end;
        filing: graph Filing;
    }
}
