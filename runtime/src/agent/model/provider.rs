//! What stands behind a model's handle.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::error::ModelError;
use super::parts::Parts;
use super::transcript::{Messages, Transcript};
use serde_json::value::RawValue;

use crate::agent::message::ToolSpec;

/// A future behind a pointer.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Whoever answers: a server, a script. Wrap it in a [`Model`](super::Model).
///
/// ```
/// use graphwright::agent::{BoxFuture, ChatRequest, ModelError, ModelProvider, Part, Parts};
///
/// struct Echo;
/// impl ModelProvider for Echo {
///     fn name(&self) -> &str { "echo" }
///     fn chat<'a>(&'a self, request: ChatRequest<'a>, out: &'a mut Parts<'_>) -> BoxFuture<'a, Result<(), ModelError>> {
///         Box::pin(async move { out.push(Part::Text(format!("{} messages", request.messages().count()))).await })
///     }
/// }
/// ```
pub trait ModelProvider: Send + Sync + 'static {
    /// The model's name.
    fn name(&self) -> &str;

    /// Answers, part by part, as they come. What was pushed before an error is dropped. Dropping the future ends the call.
    ///
    /// An error of [`Parts::push`] is to be passed on.
    fn chat<'a>(&'a self, request: ChatRequest<'a>, out: &'a mut Parts<'_>) -> BoxFuture<'a, Result<(), ModelError>>;
}

/// What a model is to answer.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ChatRequest<'a> {
    /// What it is told before the conversation.
    pub system: Option<&'a str>,
    /// The tools that it may call: all of them, `ask_user` included where it is offered.
    pub tools: &'a [Arc<ToolSpec>],
    /// What its reply is to be, if it is to be JSON. The text before the conversation says so as well, for models that
    /// take no such word.
    pub format: Option<&'a ReplyFormat>,
    talk: &'a dyn Transcript,
}

/// JSON of this shape.
#[derive(Clone, Debug)]
pub struct ReplyFormat {
    /// Its name, as providers take one: ASCII letters, digits and `_`.
    pub name: String,
    /// Its JSON Schema.
    pub schema: Box<RawValue>,
}

impl<'a> ChatRequest<'a> {
    /// Of a conversation alone.
    #[must_use]
    pub fn new(talk: &'a dyn Transcript) -> Self {
        Self { system: None, tools: &[], format: None, talk }
    }

    /// The conversation, from the first message on.
    #[must_use]
    pub fn messages(&self) -> Messages<'a> {
        self.talk.messages()
    }
}

impl fmt::Debug for ChatRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        f.debug_struct("ChatRequest").field("messages", &self.messages().count()).field("tools", &tools).finish_non_exhaustive()
    }
}
