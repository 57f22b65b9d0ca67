//! How a frame is named: the same in every process, on every attempt, whatever finished first.

use std::fmt;
use std::sync::Arc;

/// The branches and mounted graphs around a frame, each with the step of the frame around it at which it was opened, so
/// that a fork that is reached again has other names. Empty for the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path(Option<Arc<Segment>>);

#[derive(Debug, PartialEq, Eq)]
struct Segment {
    around: Path,
    ord: u64,
    key: Key,
}

/// Names a branch among its siblings, or a mounted graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A branch by its first step or its label, a mounted graph by its place.
    Name(Arc<str>),
    /// The branch of an item.
    Item(u32),
}

impl Path {
    /// A frame that is opened at step `ord` of this one.
    pub(crate) fn inner(&self, ord: u64, key: Key) -> Self {
        Self(Some(Arc::new(Segment { around: self.clone(), ord, key })))
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_none()
    }

    /// How it is named among what is open in the frame around it.
    pub(crate) fn key(&self) -> Option<&Key> {
        self.0.as_ref().map(|segment| &segment.key)
    }

    /// Empty for the root, and else ending with a slash: what stands before the name of a place.
    pub(crate) fn before(&self, place: &str) -> String {
        if self.is_root() { place.to_owned() } else { format!("{self}/{place}") }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(segment) = &self.0 else { return Ok(()) };
        if !segment.around.is_root() {
            write!(f, "{}/", segment.around)?;
        }
        write!(f, "{}:{}", segment.ord, segment.key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Item(index) => write!(f, "each[{index}]"),
        }
    }
}

impl Key {
    pub(crate) fn parse(text: &str) -> Self {
        let item = text.strip_prefix("each[").and_then(|rest| rest.strip_suffix(']')).and_then(|index| index.parse().ok());
        item.map_or_else(|| Self::Name(text.into()), Self::Item)
    }
}

/// The first segment of a path as it is stored, and the rest.
pub(crate) fn split(path: &str) -> Option<(u64, Key, &str)> {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let (ord, key) = first.split_once(':')?;
    Some((ord.parse().ok()?, Key::parse(key), rest))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_back() {
        let path = Path::default().inner(1, Key::Name("B".into())).inner(2, Key::Item(3));
        assert_eq!(path.to_string(), "1:B/2:each[3]");
        assert_eq!(path.before("ask"), "1:B/2:each[3]/ask");
        let (ord, key, rest) = split("1:B/2:each[3]").unwrap();
        assert_eq!((ord, key, rest), (1, Key::Name("B".into()), "2:each[3]"));
        assert_eq!(split(rest).unwrap(), (2, Key::Item(3), ""));
        assert!(split("").is_none());
    }
}
