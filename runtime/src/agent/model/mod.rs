//! Models: one handle, whoever is behind it.

mod chat;
mod error;
mod json;
mod parts;
mod provider;
mod rewrite;
mod transcript;

use std::fmt;
use std::sync::Arc;

pub use chat::Chat;
pub use error::ModelError;
pub use json::{Json, JsonChat};
pub use parts::{MAX_CALLS, MAX_REPLY_BYTES, Part, Parts};
pub use provider::{BoxFuture, ChatRequest, ModelProvider, ReplyFormat};
pub use rewrite::Rewriter;
pub use transcript::{Messages, Transcript};

use crate::usage::Usage;

/// A model to talk to. Cheap to clone; keep one in the dependencies.
///
/// ```
/// use graphwright::Context;
/// use graphwright::agent::{Message, Model, Reply, Scripted};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Model::new(Scripted::new([Reply::text("Hello.")]));
/// let talk = [Message::user("Hi!")];
/// let reply = model.chat(&talk).system("Be kind.").send(&Context::test(())).await?;
/// assert_eq!(reply.text, "Hello.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Model {
    provider: Arc<dyn ModelProvider>,
    rewriters: Arc<Vec<Arc<dyn Rewriter>>>,
    price: Option<Price>,
}

/// Money for a million tokens.
#[derive(Clone, Copy, Debug)]
struct Price {
    input: f64,
    output: f64,
}

impl Model {
    /// Of this provider.
    pub fn new(provider: impl ModelProvider) -> Self {
        Self { provider: Arc::new(provider), rewriters: Arc::default(), price: None }
    }

    /// And this rewriter, behind those that are there: it changes every reply before it counts.
    #[must_use]
    pub fn rewritten(mut self, rewriter: impl Rewriter) -> Self {
        Arc::make_mut(&mut self.rewriters).push(Arc::new(rewriter));
        self
    }

    /// What a million tokens cost, read and written: every call counts as [`Usage::cost`], in millionths, unless the
    /// provider says a price itself. [`App::budget`](crate::App::budget) bounds it.
    ///
    /// ```
    /// use graphwright::agent::{Model, Reply, Scripted};
    /// let model = Model::new(Scripted::new([Reply::text("Hello.")])).priced(3.0, 15.0);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn priced(self, input: f64, output: f64) -> Self {
        Self { price: Some(Price { input, output }), ..self }
    }

    /// What a call cost, with its price.
    fn cost(&self, used: Usage) -> Usage {
        match self.price {
            Some(price) if used.cost == 0 => used.costing(price.of(used)),
            _ => used,
        }
    }

    /// The model's name, as its provider calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.provider.name()
    }

    /// Puts a conversation before the model; [`Chat::send`] calls it.
    pub fn chat<'a, D>(&'a self, talk: &'a impl Transcript) -> Chat<'a, D> {
        Chat::new(self, talk)
    }

    fn provider(&self) -> &dyn ModelProvider {
        &*self.provider
    }

    fn rewriters(&self) -> &[Arc<dyn Rewriter>] {
        &self.rewriters
    }
}

impl Price {
    /// In millionths, rounded up: what a million tokens cost in whole units, one costs in millionths.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it ends at the bounds")]
    fn of(self, used: Usage) -> u64 {
        (self.input * used.input as f64 + self.output * used.output as f64).ceil() as u64
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Model").field(&self.name()).finish()
    }
}

/// Dependencies that have a model: what the ready-made nodes ask for.
#[diagnostic::on_unimplemented(
    message = "the dependencies `{Self}` have no model",
    label = "`HasModel` is missing",
    note = "implement it: `impl HasModel for {Self} {{ fn model(&self) -> &Model {{ &self.model }} }}`"
)]
pub trait HasModel {
    /// The model.
    fn model(&self) -> &Model;

    /// What the model is told before the conversation by [`react`](fn@super::react); nothing unless said.
    fn system(&self) -> &str {
        ""
    }
}
