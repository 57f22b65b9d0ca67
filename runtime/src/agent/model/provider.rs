//! What stands behind a model's handle.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::error::ModelError;
use super::parts::Parts;
use crate::agent::message::{Message, ToolSpec};

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
///         Box::pin(async move { out.push(Part::Text(format!("{} messages", request.messages.len()))).await })
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
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ChatRequest<'a> {
    /// What it is told before the conversation.
    pub system: Option<&'a str>,
    /// The conversation.
    pub messages: &'a [Message],
    /// The tools that it may call: all of them, `ask_user` included where it is offered.
    pub tools: &'a [Arc<ToolSpec>],
}

impl<'a> ChatRequest<'a> {
    /// Of messages alone.
    #[must_use]
    pub fn new(messages: &'a [Message]) -> Self {
        Self { system: None, messages, tools: &[] }
    }
}
