//! A thread as a file, and what this build would do with it.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::app::{RunError, Thread};
use crate::clock::Timestamp;
use crate::engine::{self, CodecError, Differs, How};
use crate::graph::Graph;
use crate::id::{CommitId, RunId, TurnId};
use crate::node::NodeMeta;
use crate::store::{GraphRef, NewRow, Row, RowKind, Seq};

/// The only format there is. Another one is refused, never guessed.
const FORMAT: u32 = 1;
/// What stands before the JSON of a row.
const JSON: u8 = 1;

/// A thread from its first row to its last, without its name. Kept as a file beside a test it tells when another build would
/// go another way.
///
/// ```
/// # use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32, by: String }
/// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
/// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
/// use graphwright::testing::{Recording, TestApp};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let thread = TestApp::<Counter>::new(()).thread("t");
/// thread.run(Count::update().by("Anna Morena")).await?;
/// let recording = Recording::of(&thread).await?.redacted(|at, value| {
///     if at == "/update/by" {
///         *value = "somebody".into();
///     }
/// })?;
/// assert!(!recording.to_json().contains("Anna"));
/// recording.replay::<Counter>()?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    format: u32,
    graph: String,
    version: u32,
    rows: Vec<Recorded>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    kind: RowKind,
    turn: TurnId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<RunId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    path: String,
    ord: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    place: String,
    at: Timestamp,
    says: Box<RawValue>,
}

// What users keep is theirs to show.
impl fmt::Debug for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorded").field("kind", &self.kind).field("path", &self.path).field("place", &self.place).finish_non_exhaustive()
    }
}

/// Why there is no recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The thread cannot be read.
    #[error(transparent)]
    Thread(#[from] RunError),
    /// Its first rows are in another thread, or are kept no more.
    #[error("the thread does not begin with its first row: record it before it is pruned, and the thread that it was forked from")]
    NoBeginning,
    /// The file cannot be read, or not be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It is no recording.
    #[error("it is no recording: {0}")]
    Unreadable(String),
    /// It is decided otherwise the second time.
    #[error(transparent)]
    Diverges(Box<Divergence>),
}

/// The first row of a recording that this build would not have written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// Its number.
    pub seq: Seq,
    /// The place, behind the branches and mounted graphs around it; empty at the beginning of a turn.
    pub place: String,
    /// In what.
    pub what: Diverges,
}

/// In what a recording and this build differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Diverges {
    /// It is of another graph.
    Graph {
        /// Of this one.
        recorded: String,
        /// And not of this.
        now: String,
    },
    /// Another way is taken.
    Way {
        /// To there.
        recorded: String,
        /// And now to there: behind a place that chooses its way, to each of these.
        now: String,
    },
    /// The way is the same, and something else goes along: the items of an `each`, what a mounted graph is given or gives,
    /// what a reducer makes of it.
    Update {
        /// Where in the stored thread, as a JSON pointer.
        at: String,
        /// What it was. It may be private, and is not in the text of the error.
        recorded: Box<Value>,
        /// What it is now.
        now: Box<Value>,
    },
    /// This build cannot read the row.
    Unreadable {
        /// Why.
        why: String,
    },
}

impl Recording {
    /// Of a thread as it stands now.
    ///
    /// # Errors
    /// The store's; [`RecordingError::NoBeginning`] if the thread was pruned or forked.
    pub async fn of<G: Graph>(thread: &Thread<G>) -> Result<Self, RecordingError> {
        let mut rows = Vec::new();
        let mut page = thread.history().await?;
        loop {
            rows.append(&mut page.rows);
            match page.next.take() {
                Some(next) => page = thread.history().after(next).await?,
                None => break,
            }
        }
        let version = match rows.first() {
            Some(Row { seq: 1, row: NewRow { kind, .. }, .. }) if *kind != RowKind::Origin => {
                rows.last().map_or(0, |row| row.graph.version)
            }
            _ => return Err(RecordingError::NoBeginning),
        };
        let rows: Result<_, _> = rows.into_iter().map(|row| recorded(row.row)).collect();
        Ok(Self { format: FORMAT, graph: <G as NodeMeta>::NAME.to_owned(), version, rows: rows? })
    }

    /// Shows `redact` each number, text and yes or no that people and models brought, with a JSON pointer to where it stands
    /// in its row, such as `/update/talk/add/0`. Places, ways and times are not shown to it, and neither are names of fields
    /// and keys of maps: a map by customer keeps its customers. What routers look at is to stay such that they decide the same.
    ///
    /// # Errors
    /// [`RecordingError::Unreadable`]: then nothing is given that was not shown to it.
    pub fn redacted(mut self, mut redact: impl FnMut(&str, &mut Value)) -> Result<Self, RecordingError> {
        let unreadable = |error: serde_json::Error| RecordingError::Unreadable(error.to_string());
        for row in &mut self.rows {
            let mut says = serde_json::from_str(row.says.get()).map_err(unreadable)?;
            body(&mut says, &mut redact);
            row.says = serde_json::value::to_raw_value(&says).map_err(unreadable)?;
        }
        Ok(self)
    }

    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Names, numbers, and JSON that was read as such: nothing in it can fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// From JSON.
    ///
    /// # Errors
    /// [`RecordingError::Unreadable`].
    pub fn from_json(json: &str) -> Result<Self, RecordingError> {
        let recording: Self = serde_json::from_str(json).map_err(|error| RecordingError::Unreadable(error.to_string()))?;
        if recording.format != FORMAT {
            return Err(RecordingError::Unreadable(format!("format {} is not known to this version of graphwright", recording.format)));
        }
        Ok(recording)
    }

    /// Writes it to a file.
    ///
    /// # Errors
    /// [`RecordingError::File`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), RecordingError> {
        Ok(fs::write(path, self.to_json() + "\n")?)
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// [`RecordingError::File`], [`RecordingError::Unreadable`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::from_json(&fs::read_to_string(path)?)
    }

    /// Tells the thread again and asks the routers of this build at each step. No node is called: what nodes wrote and people
    /// answered is taken from the recording. What a place itself chose is in no row, so behind such a place the recording is
    /// right if one of its arms leads there. Ids of 128 bits are made afresh, and are no difference.
    ///
    /// # Errors
    /// The first [`Divergence`].
    pub fn replay<G: Graph>(&self) -> Result<(), Divergence> {
        self.told::<G>(|_| {})
    }

    pub(super) fn told<G: Graph>(&self, taken: impl FnMut(engine::WayTaken)) -> Result<(), Divergence> {
        if self.graph != <G as NodeMeta>::NAME {
            let what = Diverges::Graph { recorded: self.graph.clone(), now: <G as NodeMeta>::NAME.to_owned() };
            return Err(Divergence { seq: 1, place: String::new(), what });
        }
        let rows: Vec<Row> = self.rows.iter().zip(1..).map(|(row, seq)| self.stored(row, seq)).collect();
        engine::replay::<G>(&rows, taken).map_err(Divergence::of)
    }

    fn stored(&self, row: &Recorded, seq: Seq) -> Row {
        let Recorded { kind, turn, run, path, ord, place, at, says } = row.clone();
        let body = [&[JSON], says.get().as_bytes()].concat();
        let graph = GraphRef { name: self.graph.clone(), version: self.version, fingerprint: [0; 32] };
        Row { seq, commit: CommitId::default(), graph, row: NewRow { kind, turn, run, path, ord, place, at, body } }
    }
}

fn recorded(row: NewRow) -> Result<Recorded, RecordingError> {
    let NewRow { kind, turn, run, path, ord, place, at, body } = row;
    let unreadable = |error: CodecError| RecordingError::Unreadable(error.to_string());
    let says = engine::decode::<Box<RawValue>>(&body).map_err(unreadable)?;
    Ok(Recorded { kind, turn, run, path, ord, place, at, says })
}

impl Divergence {
    fn of(differs: Differs) -> Self {
        let Differs { seq, path, place, how } = differs;
        let place = if path.is_empty() { place } else { format!("{path}/{place}") };
        let what = match how {
            How::Way { recorded, now } => Diverges::Way { recorded, now },
            How::Content { at, recorded, now } => Diverges::Update { at, recorded, now },
            How::Untold(why) => Diverges::Unreadable { why },
        };
        Self { seq, place, what }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() { "start" } else { &self.place };
        write!(f, "row {}, `{place}`: ", self.seq)?;
        match &self.what {
            Diverges::Graph { recorded, now } => write!(f, "recorded of the graph {recorded}, and this is {now}"),
            Diverges::Way { recorded, now } => write!(f, "recorded is the way to {recorded}, and this build goes to {now}"),
            Diverges::Update { at, .. } => write!(f, "the way is as recorded, and what goes along differs at {at}"),
            Diverges::Unreadable { why } => write!(f, "this build cannot read it: {why}"),
        }
    }
}

impl std::error::Error for Divergence {}

type Redact<'a> = dyn FnMut(&str, &mut Value) + 'a;

/// What a row says, without what names places and ways.
fn body(says: &mut Value, redact: &mut Redact<'_>) {
    let Value::Object(says) = says else { return };
    for (key, value) in says {
        match (key.as_str(), value) {
            ("closes" | "update" | "settings" | "label", value) => leaves(value, format!("/{key}"), redact),
            ("question", question) => {
                inside(question, "asked", "/question", redact);
                inside(question, "labels", "/question", redact);
            }
            ("failed", failed) => inside(failed, "error", "/failed", redact),
            ("why", Value::Object(why)) => why.values_mut().for_each(|why| inside(why, "error", "/why", redact)),
            ("next", Value::Array(moves)) => {
                for (next, index) in moves.iter_mut().zip(0_usize..) {
                    decided(next, &format!("/next/{index}"), redact);
                }
            }
            _ => {}
        }
    }
}

/// What goes along a way.
fn decided(next: &mut Value, at: &str, redact: &mut Redact<'_>) {
    let Value::Object(next) = next else { return };
    for (kind, value) in next {
        let at = format!("{at}/{kind}");
        match (kind.as_str(), value) {
            ("mount", Value::Array(parts)) => parts.iter_mut().skip(1).for_each(|input| leaves(input, at.clone(), redact)),
            ("fork", fork) => inside(fork, "items", &at, redact),
            ("left" | "merged", value) => leaves(value, at, redact),
            ("unrouted", Value::Array(parts)) => parts.iter_mut().for_each(|part| inside(part, "error", &at, redact)),
            ("inside" | "failed", failed) => inside(failed, "error", &at, redact),
            _ => {}
        }
    }
}

fn inside(value: &mut Value, key: &str, at: &str, redact: &mut Redact<'_>) {
    if let Some(value) = value.as_object_mut().and_then(|object| object.get_mut(key)) {
        leaves(value, format!("{at}/{key}"), redact);
    }
}

fn leaves(value: &mut Value, at: String, redact: &mut Redact<'_>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                leaves(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), redact);
            }
        }
        Value::Array(items) => items.iter_mut().zip(0_usize..).for_each(|(item, index)| leaves(item, format!("{at}/{index}"), redact)),
        leaf => redact(&at, leaf),
    }
}
