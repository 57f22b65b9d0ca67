//! Takes a reply in, part by part, and tells each part as it comes.

use std::fmt;
use std::sync::Arc;

use super::error::ModelError;
use super::transcript::Transcript;
use crate::agent::message::{RawCall, Reply, Unshown};
use crate::clock::IdGen;
use crate::context::Context;
use crate::observe::{Emitter, EventKind, Usage};

/// Text, thinking and arguments of one reply: at most so many bytes.
pub const MAX_REPLY_BYTES: usize = 4 * 1024 * 1024;

/// Calls of one reply: at most so many.
pub const MAX_CALLS: usize = 128;

/// The longest id of a call that is taken from a provider.
const MAX_CALL_ID_BYTES: usize = 64;

/// A part of a reply, as a provider sends it. Its `Debug` shows how long texts are, and not the texts.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// A piece of the text.
    Text(String),
    /// A piece of the thinking. It is told, and not kept.
    Thinking(String),
    /// A call begins.
    CallStarted {
        /// Its place among the calls of this reply: pieces that belong to it say the same.
        index: usize,
        /// The provider's id, if it gave one.
        id: Option<String>,
        /// The tool.
        tool: String,
    },
    /// A piece of a call's arguments.
    CallDelta {
        /// The call.
        index: usize,
        /// The piece.
        arguments: String,
    },
    /// A call that comes in one piece.
    Call(RawCall),
    /// What the call of the model cost so far; the last one counts.
    Usage(Usage),
    /// Why the model stopped, as the provider says it.
    Stop(String),
}

/// Where a provider puts its reply.
///
/// Each call gets an id that is unique in the conversation before anybody hears of it: the provider's own if it is, or
/// a new one. So events, the stored message and its results speak of a call by one id.
pub struct Parts<'a> {
    model: &'a str,
    talk: &'a dyn Transcript,
    told: Told,
    reply: Reply,
    /// What providers call the calls of `reply`, in the same order.
    indices: Vec<Option<usize>>,
    bytes: usize,
}

/// Where events go, and where ids come from.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(super) emitter: Arc<Emitter>,
    pub(super) ids: Arc<dyn IdGen>,
    pub(super) step: u64,
    pub(super) place: &'static str,
}

impl Told {
    pub(super) fn of<D>(cx: &Context<D>) -> Self {
        let run = cx.info();
        Self { emitter: Arc::clone(&run.emitter), ids: Arc::clone(&run.ids), step: cx.ord(), place: cx.place() }
    }

    /// Makes no event where nobody listens.
    pub(super) async fn emit(&self, event: impl FnOnce() -> EventKind) {
        if !self.emitter.is_silent() {
            self.emitter.emit(self.step, self.place, event()).await;
        }
    }
}

impl<'a> Parts<'a> {
    pub(super) fn new(model: &'a str, talk: &'a dyn Transcript, told: Told) -> Self {
        Self { model, talk, told, reply: Reply::default(), indices: Vec::new(), bytes: 0 }
    }

    /// Takes the next part. Waits while the stream's reader is behind.
    ///
    /// # Errors
    /// The reply has become too long, or calls too many tools, or the part belongs to a call that never began. To be passed on.
    pub async fn push(&mut self, part: Part) -> Result<(), ModelError> {
        match part {
            Part::Text(text) => {
                self.count(text.len())?;
                self.reply.text.push_str(&text);
                self.told.emit(|| EventKind::TextDelta { text }).await;
            }
            Part::Thinking(text) => {
                self.count(text.len())?;
                self.told.emit(|| EventKind::ThinkingDelta { text }).await;
            }
            Part::CallStarted { index, id, tool } => self.start(Some(index), id, tool).await?,
            Part::CallDelta { index, arguments } => self.extend(index, arguments).await?,
            Part::Call(RawCall { id, name, arguments }) => {
                self.start(None, id, name).await?;
                self.append(self.indices.len() - 1, arguments).await?;
            }
            Part::Usage(usage) => self.reply.usage = Some(usage),
            Part::Stop(stop) => self.reply.stop = Some(stop),
        }
        Ok(())
    }

    async fn start(&mut self, index: Option<usize>, id: Option<String>, tool: String) -> Result<(), ModelError> {
        // Some providers say twice that a call begins.
        if index.is_some() && self.indices.contains(&index) {
            return Ok(());
        }
        if self.indices.len() >= MAX_CALLS {
            return Err(ModelError::TooManyCalls);
        }
        self.count(tool.len() + id.as_ref().map_or(0, String::len))?;
        let id = self.unique(id);
        self.told.emit(|| EventKind::ToolCallStarted { call: id.clone(), tool: tool.clone() }).await;
        self.indices.push(index);
        self.reply.calls.push(RawCall { id: Some(id), name: tool, arguments: String::new() });
        Ok(())
    }

    async fn extend(&mut self, index: usize, arguments: String) -> Result<(), ModelError> {
        match self.indices.iter().position(|known| *known == Some(index)) {
            Some(at) => self.append(at, arguments).await,
            None => {
                let what = format!("a piece of call {index}, which never began");
                Err(ModelError::Malformed { model: self.model.to_owned(), what })
            }
        }
    }

    async fn append(&mut self, at: usize, piece: String) -> Result<(), ModelError> {
        self.count(piece.len())?;
        if let Some(RawCall { id: Some(id), arguments, .. }) = self.reply.calls.get_mut(at) {
            arguments.push_str(&piece);
            self.told.emit(|| EventKind::ToolCallDelta { call: id.clone(), arguments: piece }).await;
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_REPLY_BYTES { Err(ModelError::TooLong) } else { Ok(()) }
    }

    /// The provider's id, unless it is missing, or not one that providers take back, or taken.
    fn unique(&self, id: Option<String>) -> String {
        let usable = |id: &String| (1..=MAX_CALL_ID_BYTES).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        let taken = |id: &String| self.talk.has_call(id) || self.reply.calls.iter().any(|call| call.id.as_ref() == Some(id));
        id.filter(usable).filter(|id| !taken(id)).unwrap_or_else(|| format!("call_{:032x}", u128::from_be_bytes(self.told.ids.fresh())))
    }

    pub(super) fn finish(self) -> Reply {
        self.reply
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(&Unshown(text)).finish(),
            Self::Thinking(text) => f.debug_tuple("Thinking").field(&Unshown(text)).finish(),
            Self::CallStarted { index, id, tool } => {
                f.debug_struct("CallStarted").field("index", index).field("id", id).field("tool", tool).finish()
            }
            Self::CallDelta { index, arguments } => {
                f.debug_struct("CallDelta").field("index", index).field("arguments", &Unshown(arguments)).finish()
            }
            Self::Call(call) => f.debug_tuple("Call").field(call).finish(),
            Self::Usage(usage) => f.debug_tuple("Usage").field(usage).finish(),
            Self::Stop(stop) => f.debug_tuple("Stop").field(stop).finish(),
        }
    }
}

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("model", &self.model).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
