//! One call of a model: what it is given, and the events around it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::Model;
use super::error::ModelError;
use super::json::JsonChat;
use super::parts::{Parts, Told};
use super::provider::{ChatRequest, ReplyFormat};
use super::rewrite::rewrite;
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
    model: &'a Model,
    talk: &'a dyn Transcript,
    system: Option<Prompt<'a>>,
    tools: Vec<Arc<ToolSpec>>,
    asks: bool,
    budget: Option<u64>,
    deps: PhantomData<fn(&D)>,
}

/// A call of a model, put together.
pub(super) struct Prepared<'a> {
    model: &'a Model,
    pub(super) talk: &'a dyn Transcript,
    system: String,
    tools: Vec<Arc<ToolSpec>>,
    budget: Option<u64>,
}

impl<'a, D> Chat<'a, D> {
    pub(super) fn new(model: &'a Model, talk: &'a dyn Transcript) -> Self {
        Self { model, talk, system: None, tools: Vec::new(), asks: false, budget: None, deps: PhantomData }
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

    /// Refuses the call once the turn has used so many tokens, read and written: [`ModelError::BudgetSpent`]. What counts
    /// is in the conversation, so that neither a pause nor a crash forgets it.
    pub fn budget(mut self, tokens: u64) -> Self {
        self.budget = Some(tokens);
        self
    }

    /// Asks for a `T`: its JSON Schema goes with the call, serde is the judge of what comes.
    ///
    /// The model can neither call tools nor ask the user here: what was said of them is left out.
    ///
    /// ```
    /// # use graphwright::{Context, agent::{JsonSchema, schemars, Message, Model, Reply, Scripted}};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Triage { urgent: bool }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (cx, talk) = (Context::test(()), [Message::user("Help!")]);
    /// # let model = Model::new(Scripted::new([Reply::text(r#"{"urgent": true}"#)]));
    /// let triage = model.chat(&talk).system("Is it urgent?").json::<Triage>().repair().send(&cx).await?;
    /// assert!(triage.value.urgent);
    /// # Ok(())
    /// # }
    /// ```
    pub fn json<T: DeserializeOwned + JsonSchema>(self) -> JsonChat<'a, D, T> {
        JsonChat::new(self)
    }

    /// Calls the model, tells its parts as they come, and returns the whole.
    ///
    /// The events are one [`EventKind::ModelStarted`], the parts, [`EventKind::Usage`] if the provider says what it
    /// cost, and one [`EventKind::ModelEnded`], also when the call fails or is dropped. Where the model has rewriters, the
    /// parts are told when they are done: nothing that they take out is told before. Cancel safe: dropping it ends the
    /// call, and nothing of the reply is kept.
    ///
    /// # Errors
    /// [`ModelError`], which says whether trying again can help.
    pub async fn send(self, cx: &Context<D>) -> Result<Reply, ModelError> {
        let prepared = self.prepared();
        prepared.call(prepared.talk, None, cx).await
    }

    pub(super) fn without_tools(self) -> Self {
        Self { tools: Vec::new(), asks: false, ..self }
    }

    pub(super) fn prepared(self) -> Prepared<'a> {
        let Self { model, talk, system, mut tools, asks, budget, .. } = self;
        if asks {
            tools.push(ask_user());
        }
        let system = system.map(|prompt| prompt(&tools)).unwrap_or_default();
        Prepared { model, talk, system, tools, budget }
    }
}

impl Prepared<'_> {
    pub(super) fn model(&self) -> &str {
        self.model.name()
    }

    pub(super) fn add_to_system(&mut self, text: &str) {
        if !self.system.is_empty() {
            self.system.push_str("\n\n");
        }
        self.system.push_str(text);
    }

    /// Calls the model with this conversation.
    pub(super) async fn call<D>(&self, talk: &dyn Transcript, format: Option<&ReplyFormat>, cx: &Context<D>) -> Result<Reply, ModelError> {
        let (model, rewriters) = (self.model(), self.model.rewriters());
        self.permit(talk)?;
        let name = model.to_owned();
        let start = EventKind::ModelStarted { model: name.clone() };
        let span = cx.span(start, |outcome| EventKind::ModelEnded { model: name, outcome, stop: None }).await;
        let told = Told::of(cx);
        let mut parts = Parts::new(model, told, !rewriters.is_empty());
        let mut request = ChatRequest::new(talk);
        request.system = Some(self.system.as_str()).filter(|system| !system.is_empty());
        request.tools = &self.tools;
        request.format = format;
        if let Err(error) = self.model.provider().chat(request, &mut parts).await {
            span.end(Mark::Failed);
            return Err(error);
        }
        let usage = parts.usage().map(|used| self.model.cost(used));
        let reply = match rewriters {
            [] => Ok(parts.finish()),
            rewriters => parts.finish_by(|reply| rewrite(rewriters, reply, &self.tools)).await,
        };
        // What it cost is told whatever becomes of it.
        if let Some(usage) = usage {
            cx.spent(usage).await;
        }
        match reply {
            Ok(mut reply) => {
                reply.usage = usage;
                let stop = reply.stop.clone();
                span.end_with(EventKind::ModelEnded { model: model.to_owned(), outcome: Mark::Completed, stop });
                Ok(reply)
            }
            Err(error) => {
                span.end(Mark::Failed);
                let class = error.class();
                Err(ModelError::Rewriter { model: model.to_owned(), source: error.into_source(), class })
            }
        }
    }

    /// Nothing is asked of a model that no provider would take, or that nobody wants to pay.
    fn permit(&self, talk: &dyn Transcript) -> Result<(), ModelError> {
        if let Some(call) = talk.open_call() {
            return Err(ModelError::OpenCall { model: self.model().to_owned(), call: call.to_owned() });
        }
        let used = talk.used();
        let used = used.input.saturating_add(used.output);
        match self.budget {
            Some(budget) if used >= budget => Err(ModelError::BudgetSpent { used, budget }),
            _ => Ok(()),
        }
    }
}

/// Made once: its schema is always the same.
fn ask_user() -> Arc<ToolSpec> {
    static SPEC: OnceLock<Arc<ToolSpec>> = OnceLock::new();
    Arc::clone(SPEC.get_or_init(|| Arc::new(ask_user_tool())))
}

impl<D> fmt::Debug for Chat<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat").field("model", &self.model.name()).field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}
