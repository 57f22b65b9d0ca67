//! Where names lead.

use std::collections::BTreeMap;

/// Pages of places, by their names; those of an opened graph by its path, `research/agent`.
///
/// ```
/// use graphwright::diagram::Links;
///
/// let links = Links::new().place("react", "../nodes/struct.react.html");
/// assert_eq!(links.of("react"), Some("../nodes/struct.react.html"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links(BTreeMap<String, String>);

impl Links {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The name of this place leads there. A link that is neither relative nor `http` is not drawn.
    #[must_use]
    pub fn place(mut self, path: impl Into<String>, link: impl Into<String>) -> Self {
        self.0.insert(path.into(), link.into());
        self
    }

    /// Where a name leads.
    #[must_use]
    pub fn of(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }
}
