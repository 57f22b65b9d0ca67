//! Names of things: validated where a person makes them, 128 random bits where the runtime does.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a text cannot be an identifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdError {
    /// The text is empty.
    #[error("{what} is empty: give it 1 to {MAX_ID_BYTES} bytes of text")]
    Empty {
        /// What the text should have named.
        what: &'static str,
    },
    /// The text is longer than [`MAX_ID_BYTES`].
    #[error("{what} has {bytes} bytes: at most {MAX_ID_BYTES} are allowed")]
    TooLong {
        /// What the text should have named.
        what: &'static str,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A scope has more than [`MAX_SCOPE_SEGMENTS`].
    #[error("the scope has {segments} segments: at most {MAX_SCOPE_SEGMENTS} are allowed")]
    TooDeep {
        /// How many it has.
        segments: usize,
    },
    /// The text has a character that is not seen, or is `.` or `..`.
    #[error("{what} has {found}, which is not allowed: use printable characters")]
    Forbidden {
        /// What the text should have named.
        what: &'static str,
        /// The offending part, escaped.
        found: String,
    },
}

/// The longest identifier a person may make, in bytes.
pub const MAX_ID_BYTES: usize = 255;
/// The most segments that a [`Scope`] may have.
pub const MAX_SCOPE_SEGMENTS: usize = 16;

fn validate(what: &'static str, text: &str) -> Result<(), IdError> {
    if text.is_empty() {
        return Err(IdError::Empty { what });
    }
    if text.len() > MAX_ID_BYTES {
        return Err(IdError::TooLong { what, bytes: text.len() });
    }
    if text == "." || text == ".." {
        return Err(IdError::Forbidden { what, found: text.to_owned() });
    }
    match text.chars().find(|c| c.is_control() || is_bidi_or_invisible(*c) || is_filler(*c)) {
        Some(c) => Err(IdError::Forbidden { what, found: c.escape_unicode().to_string() }),
        None => Ok(()),
    }
}

/// Characters that change what a person sees without being seen (Unicode TR 36).
pub(crate) fn is_bidi_or_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Fillers, joiners, tags and selectors: not seen, but able to carry text or to make two labels look alike.
pub(crate) fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The name of a thread, compared byte by byte.
///
/// ```
/// use graphwright::ThreadId;
/// assert!(ThreadId::new("ticket-42").is_ok());
/// assert!(ThreadId::new("").is_err());
/// assert!(ThreadId::new("a\0b").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ThreadId(String);

impl ThreadId {
    /// Takes `text` as it is.
    ///
    /// # Errors
    /// [`IdError`] if it is empty, longer than [`MAX_ID_BYTES`], has control or invisible characters, or is `.` or `..`.
    pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
        let text = text.into();
        validate("the thread id", &text)?;
        Ok(Self(text))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ThreadId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Whose threads these are: a path of segments, such as tenant and user.
///
/// Every call to a store carries the scope, so one tenant's thread does not exist for another.
///
/// ```
/// use graphwright::Scope;
/// let scope = Scope::new(["acme", "support"]).unwrap();
/// assert_ne!(scope.hash(), Scope::new(["acme:support"]).unwrap().hash());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Scope(Vec<String>);

impl Scope {
    /// The scope of a program with one tenant.
    #[must_use]
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// A path of segments, outermost first.
    ///
    /// # Errors
    /// [`IdError`] if a segment is not a valid identifier, or there are more than [`MAX_SCOPE_SEGMENTS`].
    pub fn new<I: IntoIterator<Item = T>, T: Into<String>>(segments: I) -> Result<Self, IdError> {
        let segments: Vec<String> = segments.into_iter().map(Into::into).collect();
        for segment in &segments {
            validate("a segment of the scope", segment)?;
        }
        if segments.len() > MAX_SCOPE_SEGMENTS {
            return Err(IdError::TooDeep { segments: segments.len() });
        }
        Ok(Self(segments))
    }

    /// The segments, outermost first.
    #[must_use]
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    /// SHA-256 over the segments, each behind its length, so that no two paths share one.
    #[must_use]
    pub fn hash(&self) -> ScopeHash {
        let mut hasher = crate::digest::Hasher::new(b"graphwright scope v1");
        for segment in &self.0 {
            hasher.field(segment.as_bytes());
        }
        ScopeHash(hasher.finish())
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::<String>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The hash of a [`Scope`], full width: what stores and tokens carry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeHash(pub [u8; 32]);

impl fmt::Debug for ScopeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScopeHash(")?;
        hex(f, &self.0)?;
        f.write_str(")")
    }
}

fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))
}

fn unhex(text: &str) -> Option<[u8; 16]> {
    let bytes = text.as_bytes();
    if bytes.len() != 32 {
        return None;
    }
    let mut out = [0; 16];
    for (byte, pair) in out.iter_mut().zip(bytes.chunks_exact(2)) {
        let digit = |c: Option<&u8>| match c {
            Some(c @ b'0'..=b'9') => Some(c - b'0'),
            Some(c @ b'a'..=b'f') => Some(c - b'a' + 10),
            _ => None,
        };
        *byte = digit(pair.first())? << 4 | digit(pair.get(1))?;
    }
    Some(out)
}

macro_rules! random_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub [u8; 16]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                hex(f, &self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                hex(f, &self.0)
            }
        }
        impl std::str::FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                unhex(text).map(Self).ok_or_else(|| IdError::Forbidden { what: $what, found: text.escape_debug().take(64).collect() })
            }
        }
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

random_id! {
    /// One input until its outcome. Minted by the runtime; it decides what is stale.
    TurnId, "the turn id"
}
random_id! {
    /// One run: the part of a turn between two pauses, driven by one process. It fences: who lost it runs nothing more.
    RunId, "the run id"
}
random_id! {
    /// One intention to commit, the same on every retry of it. It answers "was that me?".
    CommitId, "the commit id"
}
random_id! {
    /// One open question: a hash of thread, turn, path and step, so that asking again after a crash gives the same id.
    QuestionId, "the question id"
}
random_id! {
    /// One process with a store open.
    WorkerId, "the worker id"
}
