//! Takes a reply in, part by part, and tells each part as it comes.

use std::fmt;
use std::sync::Arc;

use super::error::ModelError;
use super::rewrite::Rewritten;
use crate::agent::conversation::{is_own_id, own_id};
use crate::agent::message::{RawCall, Reply, Unshown};
use crate::clock::IdGen;
use crate::context::Context;
use crate::error::NodeError;
use crate::observe::{Emitter, EventKind};
use crate::usage::Usage;

/// Text, thinking and arguments of one reply: at most so many bytes.
pub const MAX_REPLY_BYTES: usize = 4 * 1024 * 1024;

/// Calls of one reply: at most so many.
pub const MAX_CALLS: usize = 128;

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
    Call {
        /// The tool.
        tool: String,
        /// Its arguments: JSON, one hopes.
        arguments: String,
    },
    /// What the call of the model cost so far; the last one counts.
    Usage(Usage),
    /// Why the model stopped, as the provider says it.
    Stop(String),
}

/// Where a provider puts its reply.
///
/// Each call gets an id of its own before anybody hears of it, and never the provider's: those come twice, also in two
/// conversations that meet. So events, the stored message and its results speak of a call by one id.
pub struct Parts<'a> {
    model: &'a str,
    told: Told,
    /// Nothing is told before the reply is whole.
    held: bool,
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
    pub(super) path: Arc<str>,
}

impl Told {
    pub(super) fn of<D>(cx: &Context<D>) -> Self {
        let (run, step) = (cx.info(), cx.step());
        let path = if run.emitter.is_silent() { Arc::default() } else { step.path().into() };
        Self { emitter: Arc::clone(&run.emitter), ids: Arc::clone(&run.ids), step: step.steps, path }
    }

    /// Makes no event where nobody listens.
    pub(super) async fn emit(&self, event: impl FnOnce() -> EventKind) {
        if !self.emitter.is_silent() {
            self.emitter.emit(self.step, &self.path, event()).await;
        }
    }
}

impl<'a> Parts<'a> {
    pub(super) fn new(model: &'a str, told: Told, held: bool) -> Self {
        Self { model, told, held, reply: Reply::default(), indices: Vec::new(), bytes: 0 }
    }

    async fn tell(&self, event: impl FnOnce() -> EventKind) {
        if !self.held {
            self.told.emit(event).await;
        }
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
                self.tell(|| EventKind::TextDelta { text }).await;
            }
            Part::Thinking(text) => {
                self.count(text.len())?;
                self.tell(|| EventKind::ThinkingDelta { text }).await;
            }
            Part::CallStarted { index, tool } => self.start(Some(index), tool).await?,
            Part::CallDelta { index, arguments } => self.extend(index, arguments).await?,
            Part::Call { tool, arguments } => {
                self.start(None, tool).await?;
                self.append(self.indices.len() - 1, arguments).await?;
            }
            Part::Usage(usage) => self.reply.usage = Some(usage),
            Part::Stop(stop) => self.reply.stop = Some(stop),
        }
        Ok(())
    }

    async fn start(&mut self, index: Option<usize>, tool: String) -> Result<(), ModelError> {
        // Some providers say twice that a call begins.
        if index.is_some() && self.indices.contains(&index) {
            return Ok(());
        }
        if self.indices.len() >= MAX_CALLS {
            return Err(ModelError::TooManyCalls);
        }
        self.count(tool.len())?;
        let id = self.own_id();
        self.tell(|| EventKind::ToolCallStarted { call: id.clone(), tool: tool.clone() }).await;
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
        let Self { told, held, reply, .. } = self;
        if let Some(RawCall { id: Some(id), arguments, .. }) = reply.calls.get_mut(at) {
            arguments.push_str(&piece);
            if !*held {
                told.emit(|| EventKind::ToolCallDelta { call: id.clone(), arguments: piece }).await;
            }
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_REPLY_BYTES { Err(ModelError::TooLong) } else { Ok(()) }
    }

    /// What the conversation will call the call: the provider's id is the provider's.
    fn own_id(&self) -> String {
        own_id(self.told.ids.fresh())
    }

    pub(super) fn usage(&self) -> Option<Usage> {
        self.reply.usage
    }

    pub(super) fn finish(self) -> Reply {
        self.reply
    }

    /// What is made of the whole reply, told now. Thinking is not: nobody looked at that.
    pub(super) async fn finish_by(mut self, made: impl FnOnce(Reply) -> Result<Rewritten, NodeError>) -> Result<Reply, NodeError> {
        let Rewritten { mut reply, dropped } = made(std::mem::take(&mut self.reply))?;
        for (call, tool) in dropped {
            self.told.emit(|| EventKind::RewriteDropped { call, tool }).await;
        }
        if !reply.text.is_empty() {
            self.told.emit(|| EventKind::TextDelta { text: reply.text.clone() }).await;
        }
        let mut calls: Vec<RawCall> = Vec::with_capacity(reply.calls.len());
        for RawCall { id, name, arguments } in reply.calls {
            let new = |id: &String| is_own_id(id) && calls.iter().all(|call| call.id.as_ref() != Some(id));
            let call = id.filter(new).unwrap_or_else(|| self.own_id());
            self.told.emit(|| EventKind::ToolCallStarted { call: call.clone(), tool: name.clone() }).await;
            self.told.emit(|| EventKind::ToolCallDelta { call: call.clone(), arguments: arguments.clone() }).await;
            calls.push(RawCall { id: Some(call), name, arguments });
        }
        reply.calls = calls;
        Ok(reply)
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(&Unshown(text)).finish(),
            Self::Thinking(text) => f.debug_tuple("Thinking").field(&Unshown(text)).finish(),
            Self::CallStarted { index, tool } => f.debug_struct("CallStarted").field("index", index).field("tool", tool).finish(),
            Self::CallDelta { index, arguments } => {
                f.debug_struct("CallDelta").field("index", index).field("arguments", &Unshown(arguments)).finish()
            }
            Self::Call { tool, arguments } => f.debug_struct("Call").field("tool", tool).field("arguments", &Unshown(arguments)).finish(),
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
