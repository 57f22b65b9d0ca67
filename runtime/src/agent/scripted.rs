//! A model that says what a test wants it to say.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::message::{Message, RawCall, Reply};
use super::model::{BoxFuture, ChatRequest, ModelError, ModelProvider, Part, Parts};

/// A model that plays replies, or makes them of the request; no network. Clones share what they have played and heard.
///
/// ```
/// use graphwright::agent::{Model, Reply, Scripted};
/// let script = Scripted::new([
///     Reply::text("").call("look_up_order", serde_json::json!({ "number": 7 })),
///     Reply::text("It is on its way."),
/// ]);
/// let model = Model::new(script.clone());
/// // … after a run: what was it asked?
/// assert_eq!(script.requests().len(), 0);
/// ```
#[derive(Clone)]
pub struct Scripted {
    source: Source,
    failures: Vec<Failure>,
    chunk: Option<usize>,
    state: Arc<Mutex<State>>,
}

#[derive(Clone)]
enum Source {
    Replies(Arc<[Reply]>),
    Rules(Arc<dyn Fn(&ChatRequest<'_>) -> Reply + Send + Sync>),
}

#[derive(Clone)]
struct Failure {
    call: usize,
    error: Arc<dyn Fn() -> ModelError + Send + Sync>,
}

#[derive(Default)]
struct State {
    calls: usize,
    played: usize,
    heard: Vec<Heard>,
}

/// What a scripted model was given in one call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Heard {
    /// What it was told before the conversation.
    pub system: Option<String>,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The names of the tools that it was offered.
    pub tools: Vec<String>,
    /// The name of what its reply was to be, if it was to be JSON.
    pub format: Option<String>,
}

impl Heard {
    fn of(request: &ChatRequest<'_>) -> Self {
        Self {
            system: request.system.map(str::to_owned),
            messages: request.messages().cloned().collect(),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            format: request.format.map(|format| format.name.clone()),
        }
    }
}

impl Scripted {
    /// Plays these, one per call, and remembers what it was given. One call more is [`ModelError::ScriptEnded`].
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::of(Source::Replies(replies.into_iter().collect()))
    }

    /// Answers by a function of the request: a model made of rules. It remembers nothing, so it may be called for ever.
    ///
    /// ```
    /// use graphwright::agent::{Reply, Scripted};
    /// let polite = Scripted::by(|request| Reply::text(format!("{} messages, thank you.", request.messages().count())));
    /// ```
    pub fn by(answer: impl Fn(&ChatRequest<'_>) -> Reply + Send + Sync + 'static) -> Self {
        Self::of(Source::Rules(Arc::new(answer)))
    }

    fn of(source: Source) -> Self {
        Self { source, failures: Vec::new(), chunk: None, state: Arc::default() }
    }

    /// Fails at this call, counted from one; the call after it gets the reply that this one would have got.
    #[must_use]
    pub fn failing_at(mut self, call: usize, error: impl Fn() -> ModelError + Send + Sync + 'static) -> Self {
        self.failures.push(Failure { call, error: Arc::new(error) });
        self
    }

    /// Streams text and arguments in pieces of so many characters, at least one.
    #[must_use]
    pub fn in_chunks_of(mut self, characters: usize) -> Self {
        self.chunk = Some(characters.max(1));
        self
    }

    /// What a model that plays replies was given so far, call by call.
    #[must_use]
    pub fn requests(&self) -> Vec<Heard> {
        self.state().heard.clone()
    }

    /// How often it was called so far.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.state().calls
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &ChatRequest<'_>) -> Result<Reply, ModelError> {
        let mut state = self.state();
        state.calls += 1;
        if let Source::Replies(_) = self.source {
            state.heard.push(Heard::of(request));
        }
        if let Some(failure) = self.failures.iter().find(|failure| failure.call == state.calls) {
            return Err((failure.error)());
        }
        match &self.source {
            Source::Replies(replies) => {
                let ended = ModelError::ScriptEnded { replies: replies.len(), call: state.calls };
                let reply = replies.get(state.played).cloned().ok_or(ended)?;
                state.played += 1;
                Ok(reply)
            }
            Source::Rules(answer) => {
                // The function is the user's: it may panic, or call the model.
                drop(state);
                Ok(answer(request))
            }
        }
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        match self.chunk {
            None if text.is_empty() => Vec::new(),
            None => vec![text.to_owned()],
            Some(size) => {
                let characters: Vec<char> = text.chars().collect();
                characters.chunks(size).map(|piece| piece.iter().collect()).collect()
            }
        }
    }
}

impl ModelProvider for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn chat<'a>(&'a self, request: ChatRequest<'a>, out: &'a mut Parts<'_>) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(async move {
            let reply = self.answer(&request)?;
            for text in self.pieces(&reply.text) {
                out.push(Part::Text(text)).await?;
            }
            for (index, RawCall { name, arguments, .. }) in reply.calls.into_iter().enumerate() {
                out.push(Part::CallStarted { index, tool: name }).await?;
                for arguments in self.pieces(&arguments) {
                    out.push(Part::CallDelta { index, arguments }).await?;
                }
            }
            if let Some(usage) = reply.usage {
                out.push(Part::Usage(usage)).await?;
            }
            if let Some(stop) = reply.stop {
                out.push(Part::Stop(stop)).await?;
            }
            Ok(())
        })
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("calls", &self.calls()).finish_non_exhaustive()
    }
}
