//! One call of a model: what it is given, and the events around it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use super::error::ModelError;
use super::parts::{Parts, Told};
use super::provider::{ChatRequest, ModelProvider};
use super::transcript::Transcript;
use crate::agent::ask_user::ask_user_tool;
use crate::agent::message::{Reply, ToolSpec};
use crate::agent::toolset::Toolset;
use crate::context::Context;
use crate::observe::{EventKind, Mark};

type Prompt<'a> = Box<dyn FnOnce(&[Arc<ToolSpec>]) -> String + Send + 'a>;

/// A call of a model, being put together. Made by [`Model::chat`](super::Model::chat).
#[must_use = "a model is called by `send`"]
pub struct Chat<'a, D> {
    provider: &'a dyn ModelProvider,
    talk: &'a dyn Transcript,
    system: Option<Prompt<'a>>,
    tools: Vec<Arc<ToolSpec>>,
    asks: bool,
    deps: PhantomData<fn(&D)>,
}

impl<'a, D> Chat<'a, D> {
    pub(super) fn new(provider: &'a dyn ModelProvider, talk: &'a dyn Transcript) -> Self {
        Self { provider, talk, system: None, tools: Vec::new(), asks: false, deps: PhantomData }
    }

    /// What the model is told before the conversation. An empty text is none.
    pub fn system(self, prompt: impl Into<String> + Send + 'a) -> Self {
        self.system_with(move |_| prompt.into())
    }

    /// The same, made of the tools that the model is offered: a prompt that lists them lists exactly these.
    ///
    /// ```
    /// # use graphwright::Context;
    /// # use graphwright::agent::{Message, Model, Reply, Scripted};
    /// # let model = Model::new(Scripted::new([Reply::text("")]));
    /// # let talk: [Message; 0] = [];
    /// # let chat: graphwright::agent::Chat<'_, ()> =
    /// model.chat(&talk).system_with(|tools| {
    ///     let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    ///     format!("You can use: {}.", names.join(", "))
    /// });
    /// ```
    pub fn system_with(mut self, prompt: impl FnOnce(&[Arc<ToolSpec>]) -> String + Send + 'a) -> Self {
        self.system = Some(Box::new(prompt));
        self
    }

    /// The tools that it may call; said again, these instead.
    pub fn tools(mut self, tools: &Toolset<D>) -> Self {
        self.tools = tools.specs().cloned().collect();
        self
    }

    /// Lets it ask the user. The node that calls it says so too: `#[node(model, asks)]`.
    pub fn ask_user(mut self) -> Self {
        self.asks = true;
        self
    }

    /// Calls the model, tells its parts as they come, and returns the whole.
    ///
    /// The events are one [`EventKind::ModelStarted`], the parts, [`EventKind::Usage`] if the provider says what it
    /// cost, and one [`EventKind::ModelEnded`], also when the call fails or is dropped. Cancel safe: dropping it ends
    /// the call, and nothing of the reply is kept.
    ///
    /// # Errors
    /// [`ModelError`], which says whether trying again can help.
    pub async fn send(self, cx: &Context<D>) -> Result<Reply, ModelError> {
        let Self { provider, talk, system, mut tools, asks, .. } = self;
        if asks {
            tools.push(ask_user());
        }
        let model = provider.name();
        let name = model.to_owned();
        let start = EventKind::ModelStarted { model: name.clone() };
        let span = cx.span(start, |outcome| EventKind::ModelEnded { model: name, outcome, stop: None }).await;
        let system = system.map(|prompt| prompt(&tools)).filter(|prompt| !prompt.is_empty());
        let told = Told::of(cx);
        let mut parts = Parts::new(model, talk, told.clone());
        let mut request = ChatRequest::new(talk);
        request.system = system.as_deref();
        request.tools = &tools;
        if let Err(error) = provider.chat(request, &mut parts).await {
            span.end(Mark::Failed);
            return Err(error);
        }
        let reply = parts.finish();
        if let Some(usage) = reply.usage {
            told.emit(|| EventKind::Usage(usage)).await;
        }
        span.end_with(EventKind::ModelEnded { model: model.to_owned(), outcome: Mark::Completed, stop: reply.stop.clone() });
        Ok(reply)
    }
}

/// Made once: its schema is always the same.
fn ask_user() -> Arc<ToolSpec> {
    static SPEC: OnceLock<Arc<ToolSpec>> = OnceLock::new();
    Arc::clone(SPEC.get_or_init(|| Arc::new(ask_user_tool())))
}

impl<D> fmt::Debug for Chat<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat").field("model", &self.provider.name()).field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}
