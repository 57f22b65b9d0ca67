//! How a change of a thread is stored: one format byte, then JSON.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::error::FailedPlace;
use crate::graph::Graph;
use crate::id::{QuestionId, RunId, ThreadId};
use crate::node::NodeMeta;
use crate::state::State;
use crate::store::{GraphRef, MAX_BYTES, MAX_DEPTH, Seq};
use crate::usage::Usage;

/// The only format there is. Another byte is refused, never guessed.
pub(crate) const JSON: u8 = 1;

/// Why something cannot be stored, or not be read back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// It is in a format that this version does not know.
    #[error("it is stored in format {0}, which this version of graphwright does not know")]
    Format(u8),
    /// It is nested too deeply.
    #[error("it is nested more than {MAX_DEPTH} deep: flatten it")]
    TooDeep,
    /// It has too many bytes.
    #[error("it has {0} bytes, more than the {MAX_BYTES} allowed: keep large things elsewhere and a reference to them in the state")]
    TooLarge(usize),
    /// With it the state has too many bytes.
    #[error(
        "with it the state has {0} bytes, more than the {MAX_BYTES} allowed: keep large things elsewhere and a reference to them in the state"
    )]
    StateTooLarge(usize),
    /// There is too much of something.
    #[error("it has {count} {what}, more than the {limit} allowed")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// It does not come back as it went.
    #[error("it does not survive being stored: {0}")]
    Lossy(String),
    /// It is not what it should be.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

/// One decision about where a frame goes on, in the order in which they were made. Reading a row makes them again without
/// asking any router.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Move {
    /// The way that the next decision takes has a budget: its name, and how often it was used by now.
    Taken(String, u32),
    /// To a place, to be run.
    At(String),
    /// To a place where a graph is mounted, and what that begins with; nothing if it begins with the state as it is.
    Mount(String, Option<Box<RawValue>>),
    /// On in branches. What each of them does first follows, branch by branch.
    Fork(StoredFork),
    /// The branch is done.
    Arrived,
    /// Out by an exit.
    Ended(String),
    /// Behind something from which no way was found, and why.
    Unrouted(StoredFrom, FailedPlace),
    /// A mounted graph was left: updates of the state around it.
    Left(Vec<Box<RawValue>>),
    /// Branches met: what fields came to whose merging is the user's code.
    Merged(Box<RawValue>),
    /// A failure is taken over further out.
    Up,
    /// A mounted graph is done, and could not be left.
    Inside(FailedPlace),
    /// What was mounted failed when it was left, and the place has a way `on error`.
    Failed(FailedPlace),
}

/// A fork with what was decided when it was entered: the branches, their order, the items.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredFork {
    pub(crate) fork: String,
    /// The names of the branches, unless each works on an item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<Box<RawValue>>,
}

/// From where a way is looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredFrom {
    Start,
    Place(String, u16),
    Join(String),
    Error(String),
    Expiry(String),
    Into(String),
    Fork(String),
}

impl StoredFrom {
    /// The place or fork.
    pub(crate) fn what(&self) -> &str {
        match self {
            Self::Start => "start",
            Self::Place(at, _) | Self::Error(at) | Self::Expiry(at) | Self::Into(at) => at,
            Self::Join(fork) | Self::Fork(fork) => fork,
        }
    }
}

/// A question in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredQuestion {
    pub(crate) id: QuestionId,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) generation: u32,
    pub(crate) asked: serde_json::Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) labels: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<Timestamp>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

pub(crate) fn is_false(yes: &bool) -> bool {
    !yes
}

/// What a row says. `update` is raw: the row is written and folded without knowing more than it must.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    /// Applied first: what had to be closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) closes: Option<Box<RawValue>>,
    /// Applied then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) update: Option<Box<RawValue>>,
    /// Where the frame goes on, and those around it; they stay where they are, if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) next: Vec<Move>,
    /// The question that opened or was issued anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<StoredQuestion>,
    /// The question that was shut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shut: Option<QuestionId>,
    /// What models cost since the row before, wherever they were called.
    #[serde(default, skip_serializing_if = "Usage::is_none")]
    pub(crate) used: Usage,
    /// What failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<FailedPlace>,
    /// When it is tried again; never by itself, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) due: Option<Timestamp>,
    /// What had failed may be tried again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) forgives: bool,
    /// What stands at a breakpoint may go on.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) passes: bool,
    /// Why the run ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<StopWhy>,
    /// The caller's name for the run, for tracing only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// What the turn is begun with beside its input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) settings: Option<Box<RawValue>>,
    /// The run that this one takes over from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<RunId>,
    /// The thread, and its row, that this one was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<(ThreadId, Seq)>,
}

impl Body {
    pub(crate) const EMPTY: Self = Self {
        closes: None,
        update: None,
        next: Vec::new(),
        question: None,
        shut: None,
        used: Usage::new(0, 0),
        failed: None,
        due: None,
        forgives: false,
        passes: false,
        why: None,
        label: None,
        settings: None,
        after: None,
        origin: None,
    };
}

/// Why a run ended although its turn did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StopWhy {
    StepLimit,
    BudgetSpent,
    TimedOut,
    Cancelled,
    Abandoned,
    CrashLoop,
    Repeating,
    Drained,
    /// Nobody wanted it to stop: the thread is left to whoever takes it up.
    StoreFailed,
    Breakpoint {
        place: String,
        after: bool,
    },
    Failed {
        place: String,
        error: String,
    },
    Unrouted {
        place: String,
        error: String,
    },
}

/// What serde says, without the value that it repeats: what is stored is in no error, and so in no log.
pub(crate) fn without_value(error: &serde_json::Error) -> String {
    let text = error.to_string();
    for what in ["invalid type", "invalid value", "unknown variant"] {
        if text.starts_with(what)
            && let Some((_, wanted)) = text.rsplit_once(", expected ")
        {
            return format!("{what}, expected {wanted}");
        }
    }
    text
}

/// To bytes.
pub(crate) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    let mut bytes = vec![JSON];
    serde_json::to_writer(&mut bytes, value).map_err(|e| CodecError::Lossy(without_value(&e)))?;
    if bytes.len() > MAX_BYTES {
        return Err(CodecError::TooLarge(bytes.len()));
    }
    Ok(bytes)
}

/// From bytes.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    match bytes.split_first() {
        // Serde would take a list for a struct; what is stored is always an object.
        Some((&JSON, json)) if !json.starts_with(b"{") => Err(CodecError::Unreadable("it is no JSON object".into())),
        Some((&JSON, json)) => serde_json::from_slice(json).map_err(|e| CodecError::Unreadable(without_value(&e))),
        Some((&other, _)) => Err(CodecError::Format(other)),
        None => Err(CodecError::Unreadable("there is nothing".into())),
    }
}

/// To raw JSON, and back at once: what is applied is what will be read, so live and loaded cannot differ.
pub(crate) fn settle<T: Serialize + DeserializeOwned>(value: &T) -> Result<(Box<RawValue>, T), CodecError> {
    let raw = raw(value)?;
    let back = serde_json::from_str(raw.get()).map_err(|e| CodecError::Lossy(without_value(&e)))?;
    Ok((raw, back))
}

/// To raw JSON, within the limits.
pub(crate) fn raw<T: Serialize>(value: &T) -> Result<Box<RawValue>, CodecError> {
    let text = serde_json::to_string(value).map_err(|e| CodecError::Lossy(without_value(&e)))?;
    bounded(&text)?;
    RawValue::from_string(text).map_err(|e| CodecError::Lossy(without_value(&e)))
}

/// Refuses JSON that is too long or too deep.
pub(crate) fn bounded(json: &str) -> Result<(), CodecError> {
    if json.len() > MAX_BYTES {
        return Err(CodecError::TooLarge(json.len()));
    }
    if depth(json.as_bytes()) > MAX_DEPTH {
        return Err(CodecError::TooDeep);
    }
    Ok(())
}

/// Whether it is nested more deeply than what is stored. Without recursion: whoever made it may have had no bound.
pub(crate) fn is_too_deep(value: &serde_json::Value) -> bool {
    use serde_json::Value;
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(fields) => open.extend(fields.values().map(|field| (field, depth + 1))),
            _ => {}
        }
    }
    false
}

/// How deep JSON is nested.
fn depth(json: &[u8]) -> usize {
    let (mut now, mut deepest, mut in_text, mut escaped) = (0usize, 0usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                now += 1;
                deepest = deepest.max(now);
            }
            b'}' | b']' if !in_text => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The graph as rows name it. The fingerprint is over the topology and the state's fields, never over code.
pub(crate) fn graph_ref<G: Graph>() -> GraphRef {
    let mut hasher = crate::digest::Hasher::new(b"graphwright graph v1");
    hasher.field(&G::TOPOLOGY.fingerprint());
    for field in <G::State as State>::FIELDS {
        hasher.field(field.name.as_bytes());
    }
    GraphRef { name: <G as NodeMeta>::NAME.to_owned(), version: G::TOPOLOGY.version, fingerprint: hasher.finish() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_brackets_outside_of_text() {
        assert_eq!(depth(br#"{"a":[1,{"b":"[[[\"{{"}]}"#), 3);
        assert_eq!(depth(b"1"), 0);
    }

    #[test]
    fn what_does_not_come_back_is_refused() {
        assert!(matches!(settle(&f64::NAN), Err(CodecError::Lossy(_))));
        let mut deep = serde_json::Value::Null;
        for _ in 0..=MAX_DEPTH {
            deep = serde_json::Value::Array(vec![deep]);
        }
        assert_eq!(settle(&deep).unwrap_err(), CodecError::TooDeep);
    }

    #[test]
    fn an_error_does_not_repeat_what_is_stored() {
        for (json, says) in [
            (r#""hunter2, expected hunter3""#, "invalid type, expected u8 at line 1 column 27"),
            ("7000", "invalid value, expected u8 at line 1 column 4"),
            ("7", ""),
        ] {
            let said = serde_json::from_str::<u8>(json).map_or_else(|error| without_value(&error), |_| String::new());
            assert_eq!(said, says);
        }
        let said = serde_json::from_str::<StopWhy>(r#""hunter2""#).map_or_else(|error| without_value(&error), |_| String::new());
        assert!(said.starts_with("unknown variant, expected one of `step_limit`") || !said.contains("hunter2"), "{said}");
    }

    #[test]
    fn another_format_is_not_guessed() {
        let decode = decode::<std::collections::BTreeMap<String, u8>>;
        assert_eq!(decode(b"\x02{}").unwrap_err(), CodecError::Format(2));
        assert_eq!(decode(b"\x01{\"a\":1}").unwrap().len(), 1);
        assert!(decode(b"").is_err() && decode(b"\x01").is_err() && decode(b"\x01[]").is_err());
    }
}
