//! Nodes that ask somebody and wait: a pause is a value.

use std::fmt;
use std::future::Future;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::context::Context;
use crate::error::{BadAnswer, NodeError};
use crate::id::QuestionId;
use crate::node::Asking;
use crate::state::State;
use crate::token::Token;

/// What came back: never a null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", content = "content", rename_all = "lowercase")]
pub enum Answer<T> {
    /// This was answered.
    #[serde(rename = "accept")]
    Accepted(T),
    /// The person said no.
    #[serde(rename = "decline")]
    Declined,
    /// The person went away without deciding.
    #[serde(rename = "cancel")]
    Cancelled,
}

/// The types of an interrupt, free of state and dependencies. Written by `#[node]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an interrupt [GW089]",
    label = "takes no answer",
    note = "annotate its `impl Interrupt<State, Deps>` with `#[node]`"
)]
pub trait Asks: crate::node::NodeMeta {
    /// What is asked.
    type Question: Serialize + DeserializeOwned + Clone + fmt::Debug + Send + Sync + 'static;
    /// What is answered.
    type Answer: Serialize + DeserializeOwned + Clone + fmt::Debug + Send + Sync + 'static;
}

/// A node in two halves, between which the thread is paused.
///
/// `ask` may run again after a crash until its question is committed, and never after that. `resume` and `check` run
/// before the commit that takes the answer; when they refuse, nothing is written and the question stays open.
pub trait Interrupt<S: State, D>: Asks {
    /// What is asked; stored with the thread.
    type Question;
    /// What is answered.
    type Answer;

    /// Makes the question.
    fn ask(state: &S, cx: &Context<D>) -> impl Future<Output = Result<Ask<Self>, NodeError>> + Send
    where
        Self: Sized;

    /// Refuses an answer that does not fit, before anything is written.
    ///
    /// # Errors
    /// Every fault of the answer.
    fn check(_state: &S, _asked: &<Self as Asks>::Question, _answer: &<Self as Asks>::Answer) -> Result<(), BadAnswer> {
        Ok(())
    }

    /// Makes the update out of the answer. Pure.
    ///
    /// # Errors
    /// Whatever it returns refuses the answer: the question stays open.
    fn resume(state: &S, asked: &<Self as Asks>::Question, answer: Answer<<Self as Asks>::Answer>) -> Result<S::Update<Self>, NodeError>
    where
        Self: Sized;

    /// Tells the outside world, after the commit, at least once: `app.work()` calls it, of an app that has keys. One that fails, or
    /// is not done within a minute, is called again.
    fn notify(
        _state: &S,
        _asked: &<Self as Asks>::Question,
        _token: &Token,
        _cx: &Context<D>,
    ) -> impl Future<Output = Result<(), NodeError>> + Send {
        std::future::ready(Ok(()))
    }
}

/// The same in a branch of an `each`: each half is given the item `T`. Every [`Interrupt`] is one, for any item.
pub trait InterruptEach<S: State, D, T>: Asks {
    /// What is asked; stored with the thread.
    type Question;
    /// What is answered.
    type Answer;

    /// Makes the question.
    fn ask(state: &S, item: &T, cx: &Context<D>) -> impl Future<Output = Result<Ask<Self>, NodeError>> + Send
    where
        Self: Sized;

    /// Refuses an answer that does not fit, before anything is written.
    ///
    /// # Errors
    /// Every fault of the answer.
    fn check(_state: &S, _item: &T, _asked: &<Self as Asks>::Question, _answer: &<Self as Asks>::Answer) -> Result<(), BadAnswer> {
        Ok(())
    }

    /// Makes the update out of the answer. Pure.
    ///
    /// # Errors
    /// Whatever it returns refuses the answer: the question stays open.
    fn resume(
        state: &S,
        item: &T,
        asked: &<Self as Asks>::Question,
        answer: Answer<<Self as Asks>::Answer>,
    ) -> Result<S::Update<Self>, NodeError>
    where
        Self: Sized;

    /// Tells the outside world, after the commit, at least once: `app.work()` calls it, of an app that has keys. One that fails, or
    /// is not done within a minute, is called again.
    fn notify(
        _state: &S,
        _item: &T,
        _asked: &<Self as Asks>::Question,
        _token: &Token,
        _cx: &Context<D>,
    ) -> impl Future<Output = Result<(), NodeError>> + Send {
        std::future::ready(Ok(()))
    }
}

#[diagnostic::do_not_recommend]
impl<S: State, D, T: Sync, N: Interrupt<S, D>> InterruptEach<S, D, T> for N {
    type Question = <N as Interrupt<S, D>>::Question;
    type Answer = <N as Interrupt<S, D>>::Answer;

    fn ask(state: &S, _: &T, cx: &Context<D>) -> impl Future<Output = Result<Ask<Self>, NodeError>> + Send {
        <N as Interrupt<S, D>>::ask(state, cx)
    }

    fn check(state: &S, _: &T, asked: &<Self as Asks>::Question, answer: &<Self as Asks>::Answer) -> Result<(), BadAnswer> {
        <N as Interrupt<S, D>>::check(state, asked, answer)
    }

    fn resume(
        state: &S,
        _: &T,
        asked: &<Self as Asks>::Question,
        answer: Answer<<Self as Asks>::Answer>,
    ) -> Result<S::Update<Self>, NodeError> {
        <N as Interrupt<S, D>>::resume(state, asked, answer)
    }

    fn notify(
        state: &S,
        _: &T,
        asked: &<Self as Asks>::Question,
        token: &Token,
        cx: &Context<D>,
    ) -> impl Future<Output = Result<(), NodeError>> + Send {
        <N as Interrupt<S, D>>::notify(state, asked, token, cx)
    }
}

/// What `ask` returns: a question, and perhaps the answer already.
pub struct Ask<N: Asks + ?Sized> {
    question: N::Question,
    answered: Option<Answer<N::Answer>>,
    labels: Vec<String>,
}

impl<N: Asks> Ask<N> {
    /// Put this question.
    pub fn question(question: N::Question) -> Self {
        Self { question, answered: None, labels: Vec::new() }
    }

    /// Who should answer: a label for inboxes. May be said more than once.
    #[must_use]
    pub fn to(mut self, label: impl Into<String>) -> Self {
        self.labels.push(label.into());
        self
    }

    /// Do not put the question: go on at once as if this had been answered.
    #[must_use]
    pub fn answered(mut self, answer: Answer<N::Answer>) -> Self {
        self.answered = Some(answer);
        self
    }

    pub(crate) fn settle<S: State, D, T>(self, state: &S, item: &T) -> Result<Settled<S, N>, NodeError>
    where
        N: InterruptEach<S, D, T>,
    {
        let Some(answer) = self.answered else {
            return Ok(Settled::Asking(Asking { question: serde_json::to_value(&self.question)?, labels: self.labels }));
        };
        if let Answer::Accepted(given) = &answer {
            <N as InterruptEach<S, D, T>>::check(state, item, &self.question, given)?;
        }
        let update = <N as InterruptEach<S, D, T>>::resume(state, item, &self.question, answer.clone())?;
        Ok(Settled::Answered(S::widen(update), answer))
    }
}

impl<N: Asks> fmt::Debug for Ask<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask").field("question", &self.question).field("labels", &self.labels).finish_non_exhaustive()
    }
}

pub(crate) enum Settled<S: State, N: Asks> {
    Asking(Asking),
    Answered(S::Patch, Answer<N::Answer>),
}

/// Takes a stored question and an answer from outside to the interrupt: what `#[node]` writes for [`crate::node::Node::resume`].
///
/// # Errors
/// What is wrong with either of them.
pub fn resume<S: State, D, T, N: InterruptEach<S, D, T>>(
    state: &S,
    item: &T,
    asked: &serde_json::Value,
    answer: &serde_json::Value,
) -> Result<(S::Patch, Answer<<N as Asks>::Answer>), crate::node::Refused> {
    use crate::node::Refused;
    let asked = <N as Asks>::Question::deserialize(asked).map_err(|e| Refused::Question(crate::engine::without_value(&e)))?;
    let answer = Answer::<<N as Asks>::Answer>::deserialize(answer)
        .map_err(|e| Refused::Answer(BadAnswer::new(crate::engine::without_value(&e))))?;
    if let Answer::Accepted(given) = &answer {
        <N as InterruptEach<S, D, T>>::check(state, item, &asked, given).map_err(Refused::Answer)?;
    }
    let update = <N as InterruptEach<S, D, T>>::resume(state, item, &asked, answer.clone()).map_err(|e| Refused::Answer(refusal(e)))?;
    Ok((S::widen(update), answer))
}

/// Takes a stored question to the interrupt's `notify`: what `#[node]` writes for [`crate::node::Node::notify`].
///
/// # Errors
/// The stored question is not of this interrupt's type, or what `notify` says.
pub async fn notify<S: State, D: Send + Sync, T: Sync, N: InterruptEach<S, D, T>>(
    state: &S,
    item: &T,
    asked: &serde_json::Value,
    token: &Token,
    cx: &Context<D>,
) -> Result<(), NodeError> {
    let asked = <N as Asks>::Question::deserialize(asked)?;
    <N as InterruptEach<S, D, T>>::notify(state, item, &asked, token, cx).await
}

fn refusal(error: NodeError) -> BadAnswer {
    match error.into_source().downcast::<BadAnswer>() {
        Ok(bad) => *bad,
        Err(other) => BadAnswer::new(other.to_string()),
    }
}

/// An open question as it is stored. Its `Debug` does not show what is asked.
#[derive(Clone)]
pub struct OpenRecord {
    /// Which question.
    pub id: QuestionId,
    /// How often it was issued anew.
    pub generation: u32,
    /// The place that asks.
    pub place: String,
    /// The places at which mounted graphs stand around it, the outermost first; empty in the root graph.
    pub within: Vec<String>,
    /// What is asked, as JSON.
    pub question: serde_json::Value,
    /// Who should answer.
    pub labels: Vec<String>,
    /// When it was asked.
    pub opened_at: Timestamp,
    /// Until when it can be answered, if not for ever.
    pub expires: Option<Timestamp>,
}

impl fmt::Debug for OpenRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("OpenRecord");
        shown.field("id", &self.id).field("generation", &self.generation).field("place", &self.place).field("within", &self.within);
        shown.field("labels", &self.labels).field("opened_at", &self.opened_at).field("expires", &self.expires).finish_non_exhaustive()
    }
}

/// An open question in the hand of trusted code: typed, and answered by itself.
pub struct Open<N: Asks> {
    /// What is asked.
    pub question: N::Question,
    record: OpenRecord,
}

impl<N: Asks> Open<N> {
    /// Out of the stored form.
    ///
    /// # Errors
    /// The stored question is not of this interrupt's type.
    pub fn new(record: OpenRecord) -> Result<Self, crate::node::Refused> {
        let question =
            N::Question::deserialize(&record.question).map_err(|e| crate::node::Refused::Question(crate::engine::without_value(&e)))?;
        Ok(Self { question, record })
    }

    /// Which question this is.
    #[must_use]
    pub fn id(&self) -> QuestionId {
        self.record.id
    }

    /// Who should answer.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.record.labels
    }

    /// The stored form.
    #[must_use]
    pub fn record(&self) -> &OpenRecord {
        &self.record
    }

    /// Answers it. Nothing happens until the thread gets it: `thread.answer(question.accept(answer))`.
    pub fn accept(&self, answer: N::Answer) -> Given {
        self.given(&Answer::Accepted(answer))
    }

    /// Says no.
    pub fn decline(&self) -> Given {
        self.given(&Answer::Declined)
    }

    /// Goes away without deciding.
    pub fn cancel(&self) -> Given {
        self.given(&Answer::Cancelled)
    }

    fn given(&self, answer: &Answer<N::Answer>) -> Given {
        Given {
            question: self.record.id,
            generation: self.record.generation,
            kind: N::NAME,
            answer: serde_json::to_value(answer).map_err(|e| e.to_string()),
        }
    }
}

impl<N: Asks> fmt::Debug for Open<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open").field("id", &self.record.id).field("place", &self.record.place).finish_non_exhaustive()
    }
}

impl<N: Asks> Clone for Open<N> {
    fn clone(&self) -> Self {
        Self { question: self.question.clone(), record: self.record.clone() }
    }
}

/// An answer on its way to the question that it was given for. Its `Debug` does not show it.
#[derive(Clone)]
#[must_use = "an answer does nothing until a thread gets it: `thread.answer(..)`"]
pub struct Given {
    pub(crate) question: QuestionId,
    pub(crate) generation: u32,
    pub(crate) kind: &'static str,
    pub(crate) answer: Result<serde_json::Value, String>,
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("question", &self.question).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// A typed answer for a token: `ApproveRefund::answer(Answer::Accepted(..))`. Its `Debug` does not show it.
#[derive(Clone)]
#[must_use = "an answer does nothing until it is redeemed: `app.redeem(token, answer)`"]
pub struct TypedAnswer {
    pub(crate) kind: &'static str,
    pub(crate) answer: Result<serde_json::Value, String>,
}

impl fmt::Debug for TypedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedAnswer").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl TypedAnswer {
    /// For the interrupt `N`.
    pub fn new<N: Asks>(answer: Answer<N::Answer>) -> Self {
        Self { kind: N::NAME, answer: serde_json::to_value(answer).map_err(|e| e.to_string()) }
    }
}
