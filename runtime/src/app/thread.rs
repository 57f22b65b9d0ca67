//! A conversation.

use std::future::Future;

use super::outcome::{Answered, AnsweredNext};
use super::run::{Run, Source, What};
use super::session::{announce, questions};
use super::{App, RunError};
use crate::clock::Timestamp;
use crate::engine::{self, Answering, Desk, load};
use crate::graph::Graph;
use crate::id::{IdError, QuestionId, ThreadId};
use crate::interrupt::Given;
use crate::node::NodeMeta;
use crate::store::{Appended, Loaded, Point, Seq, Status};
use crate::turn::TurnSettings;

/// A conversation of an app: turns, questions, state. Cheap to clone; it holds a name and no lock.
#[derive(Debug)]
pub struct Thread<G: Graph> {
    app: App<G>,
    id: Result<ThreadId, IdError>,
}

impl<G: Graph> Clone for Thread<G> {
    fn clone(&self) -> Self {
        Self { app: self.app.clone(), id: self.id.clone() }
    }
}

/// One answer or many.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer to an open question",
    label = "of which question?",
    note = "an answer is made by the question that it is for, as `thread.pending()` gives it: `question.accept(..)`, `.decline()` or `.cancel()`"
)]
pub trait IntoAnswers {
    /// As a list.
    fn into_answers(self) -> Vec<Given>;
}

impl IntoAnswers for Given {
    fn into_answers(self) -> Vec<Given> {
        vec![self]
    }
}

impl IntoAnswers for Vec<Given> {
    fn into_answers(self) -> Vec<Given> {
        self
    }
}

impl<const N: usize> IntoAnswers for [Given; N] {
    fn into_answers(self) -> Vec<Given> {
        self.into()
    }
}

fn answering(answers: impl IntoAnswers) -> Result<Vec<Answering>, RunError> {
    answers.into_answers().into_iter().map(Answering::try_from).collect()
}

impl<G: Graph> Thread<G> {
    pub(super) fn new(app: App<G>, id: Result<ThreadId, IdError>) -> Self {
        Self { app, id }
    }

    pub(super) fn app(&self) -> &App<G> {
        &self.app
    }

    pub(crate) fn desk(&self) -> &Desk {
        &self.app.inner.desk
    }

    /// Its name, or why it cannot be one.
    pub(crate) fn name(&self) -> Result<&ThreadId, RunError> {
        self.id.as_ref().map_err(|error| error.clone().into())
    }

    /// Its head, if it is this graph's.
    pub(super) async fn head(&self) -> Result<Option<Loaded>, RunError> {
        let loaded = self.desk().store.load(&self.desk().key(self.name()?), Point::After(Seq::MAX)).await?;
        loaded.as_ref().map_or(Ok(()), |loaded| self.refuse_others(loaded))?;
        Ok(loaded)
    }

    /// A thread of another graph is not this graph's to show, to stop or to delete.
    pub(super) fn refuse_others(&self, loaded: &Loaded) -> Result<(), RunError> {
        let wrote = &loaded.head.graph.name;
        if *wrote == self.desk().graph.name {
            return Ok(());
        }
        Err(RunError::OtherGraph { thread: loaded.name.clone(), wrote: wrote.clone(), graph: <G as NodeMeta>::NAME })
    }

    fn begin(&self, what: What<G>) -> Run<G> {
        Run::new(Source::Thread { app: self.app.clone(), thread: self.id.clone(), what })
    }

    /// The thread's name.
    ///
    /// # Errors
    /// [`IdError`] if it cannot be one.
    pub fn id(&self) -> Result<&ThreadId, IdError> {
        self.id.as_ref().map_err(Clone::clone)
    }

    /// Begins a turn with `input`, and drives it.
    ///
    /// # Errors
    /// Driven, [`RunError::Busy`] or [`RunError::Waiting`] if the thread is not free, unless [`App::on_busy`] and
    /// [`App::on_paused`] say otherwise; [`RunError::Failed`] if a place failed; the store's.
    pub fn run(&self, input: impl Into<G::Input>) -> Run<G> {
        let input: G::Input = input.into();
        self.begin(What::Turn(input.into(), None))
    }

    /// The same with settings, which routers read of their turn: fixed for the turn, and stored with it.
    ///
    /// # Errors
    /// Driven, [`RunError::Input`] if they cannot be stored.
    pub fn run_with(&self, settings: G::Settings, input: impl Into<G::Input>) -> Run<G> {
        let input: G::Input = input.into();
        self.begin(What::Turn(input.into(), Some(TurnSettings::new(settings))))
    }

    /// Takes answers in, all or none, and drives what can go on: [`Thread::answer`], and then what [`Thread::proceed`] does. If
    /// a run holds the thread, that one goes on, and this gives what it comes to.
    ///
    /// # Errors
    /// Driven, those of [`Thread::answer`], and then those of a run.
    pub fn resume(&self, answers: impl IntoAnswers) -> Run<G> {
        self.begin(What::Answers(answering(answers)))
    }

    /// Goes on with a thread that was stopped, whose process died, or that was answered and not driven. On a thread
    /// with nothing to do it gives the outcome as it stands.
    ///
    /// # Errors
    /// Driven, [`RunError::NoThread`], [`RunError::Busy`] while another run holds it, and those of a run.
    pub fn proceed(&self) -> Run<G> {
        self.begin(What::Proceed)
    }

    /// Takes one step, and stops behind it: [`Thread::proceed`] with a limit of one. In open branches it is the step of the
    /// branch that is joined first. On a thread with nothing to do it gives the outcome as it stands.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
    /// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// assert_eq!(thread.run(Count::update()).steps(1).await?.stopped().unwrap().state.n, 1);
    /// assert_eq!(thread.step().await?.stopped().unwrap().state.n, 2);
    /// assert_eq!(thread.step().await?.completed().unwrap().output.n, 3);
    /// # Ok(()) }
    /// ```
    pub fn step(&self) -> Run<G> {
        self.proceed().steps(1)
    }

    /// Takes answers in, all or none, in one commit, and runs nothing. Whoever drives the thread goes on: a run that
    /// holds it, [`Thread::proceed`], or `app.work()` in any process. Exactly once: a second answer is refused.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Order { paid: bool }
    /// # struct Approve;
    /// # #[node] impl Interrupt<Order, ()> for Approve {
    /// #     type Question = String;
    /// #     type Answer = bool;
    /// #     async fn ask(_: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> { Ok(Ask::question("Pay it?".to_owned())) }
    /// #     fn resume(_: &Order, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
    /// #         Ok(Order::update().paid(matches!(answer, Answer::Accepted(true))))
    /// #     }
    /// # }
    /// # graph! { Shop(Order) { start -> approve -> end; approve: Approve; } }
    /// use graphwright::AnsweredNext;
    /// type Q = Question<Shop>;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Shop::app((), Memory::new()).thread("order-7");
    /// thread.run(Order::update()).await?;
    /// for question in thread.pending().await? {
    ///     match question {
    ///         Q::approve(open) => assert_eq!(thread.answer(open.accept(true)).await?.next, AnsweredNext::Done),
    ///     }
    /// }
    /// assert!(thread.state().await?.unwrap().paid);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the commit was made or was not.
    ///
    /// # Errors
    /// [`RunError::BadAnswer`] leaves the question open; [`RunError::Spent`], [`RunError::Superseded`],
    /// [`RunError::Expired`] tell why it cannot be answered any more; [`RunError::GraphChanged`] that a run of another build
    /// has the thread, after which it can.
    pub fn answer<A: IntoAnswers>(&self, answers: A) -> impl Future<Output = Result<Answered, RunError>> + Send + use<G, A> {
        let (app, id, answers) = (self.app.clone(), self.id.clone(), answering(answers));
        async move {
            let (desk, id) = (&app.inner.desk, id?);
            let (taken, appended) = engine::answer::<G>(desk, &desk.key(&id), &answers?, None).await?;
            announce(&app, &id, &taken, appended, None);
            Ok(answered(&app, &id, taken, appended))
        }
    }

    /// The open questions, typed, with what was asked; none on a thread that waits for nobody, or that is not there. They are
    /// read from the store: whoever lost them, or never had them, finds the same ones.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Order { paid: bool }
    /// # struct Approve;
    /// # #[node] impl Interrupt<Order, ()> for Approve {
    /// #     type Question = String;
    /// #     type Answer = bool;
    /// #     async fn ask(_: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> { Ok(Ask::question("Pay it?".to_owned())) }
    /// #     fn resume(_: &Order, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
    /// #         Ok(Order::update().paid(matches!(answer, Answer::Accepted(true))))
    /// #     }
    /// # }
    /// # graph! { Shop(Order) { start -> approve -> end; approve: Approve; } }
    /// type Q = Question<Shop>;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let store = Memory::new();
    /// Shop::app((), store.clone()).thread("order-7").run(Order::update()).await?;
    /// let elsewhere = Shop::app((), store).thread("order-7");
    /// let [Q::approve(open)] = &elsewhere.pending().await?[..] else { panic!("one question is open") };
    /// assert_eq!(open.question, "Pay it?");
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// The store's, or [`RunError::GraphChanged`].
    pub fn pending(&self) -> impl Future<Output = Result<Vec<G::Question>, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = &this.app.inner.desk;
            let view = load::<G>(desk, &desk.key(&this.id?)).await?;
            let questions = questions(&view.image);
            if let Some(loaded) = view.loaded {
                desk.recent.put(desk.scope_hash, loaded, view.image);
            }
            questions
        }
    }

    /// The state as it was committed; none if there is no such thread.
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// The store's, or [`RunError::GraphChanged`].
    pub fn state(&self) -> impl Future<Output = Result<Option<G::State>, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = &this.app.inner.desk;
            let view = load::<G>(desk, &desk.key(&this.id?)).await?;
            let Some(loaded) = view.loaded else { return Ok(None) };
            let state = view.image.state().clone();
            desk.recent.put(desk.scope_hash, loaded, view.image);
            Ok(Some(state))
        }
    }

    /// What the thread does; none if there is no such thread.
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// The store's, or [`RunError::OtherGraph`].
    pub fn status(&self) -> impl Future<Output = Result<Option<Status>, RunError>> + Send + use<G> {
        let this = self.clone();
        async move { Ok(this.head().await?.map(|loaded| loaded.head.status)) }
    }

    /// Issues a question anew: tokens and answers for it as it was asked before are void. It can be answered until
    /// `expires`, or for ever.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Order { paid: bool }
    /// # struct Approve;
    /// # #[node] impl Interrupt<Order, ()> for Approve {
    /// #     type Question = String;
    /// #     type Answer = bool;
    /// #     async fn ask(_: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> { Ok(Ask::question("Pay it?".to_owned())) }
    /// #     fn resume(_: &Order, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
    /// #         Ok(Order::update().paid(matches!(answer, Answer::Accepted(true))))
    /// #     }
    /// # }
    /// # graph! { Shop(Order) { start -> approve -> end; approve: Approve; } }
    /// type Q = Question<Shop>;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Shop::app((), Memory::new()).thread("order-7");
    /// thread.run(Order::update()).await?;
    /// let Q::approve(old) = thread.pending().await?.remove(0);
    /// thread.reissue(old.id(), None).await?;
    /// assert!(matches!(thread.answer(old.accept(true)).await, Err(RunError::Superseded)));
    /// let Q::approve(new) = thread.pending().await?.remove(0);
    /// assert!(thread.resume(new.accept(true)).await?.completed().unwrap().output.paid);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the commit was made or was not.
    ///
    /// # Errors
    /// [`RunError::NoQuestion`], [`RunError::Superseded`], or the store's.
    pub fn reissue(&self, question: QuestionId, expires: Option<Timestamp>) -> impl Future<Output = Result<(), RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = &this.app.inner.desk;
            engine::reissue::<G>(desk, &desk.key(&this.id?), question, expires).await
        }
    }
}

/// What a taken answer is to its giver.
pub(super) fn answered<G: Graph>(app: &App<G>, thread: &ThreadId, taken: engine::AnswerTaken<G>, appended: Appended) -> Answered {
    let next = match taken.head.status {
        Status::Running if taken.held.is_some() => AnsweredNext::Running,
        Status::Running => AnsweredNext::Ready,
        Status::Idle => AnsweredNext::Done,
        Status::Paused => AnsweredNext::Waiting,
        // Something failed beside it.
        Status::Stopped if taken.image.questions().is_empty() => AnsweredNext::Done,
        Status::Stopped => AnsweredNext::Waiting,
    };
    // Where many questions are open, the next answer reads no more than this one wrote.
    let desk = &app.inner.desk;
    let (name, (debt, snapshot_bytes)) = (thread.clone(), taken.sizes);
    desk.recent.put(desk.scope_hash, Loaded::known(appended, name, taken.head, debt, snapshot_bytes), taken.image);
    Answered { seq: appended.seq, next }
}
