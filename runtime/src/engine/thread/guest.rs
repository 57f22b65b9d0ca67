//! What the engine asks of a frame whose graph it does not know: of a mounted one, and of whatever is open in that.

use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::context::Context;
use crate::engine::change::course::{Change, Course, Fault, Rest};
use crate::engine::log::row::{CodecError, StoredQuestion};
use crate::engine::run::breaks::Breaks;
use crate::engine::run::watch::Beat;
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::{Frame, Kind};
use crate::engine::thread::stored::StoredFrame;
use crate::error::{FailedPlace, NodeError};
use crate::graph::Body;
use crate::mount::{Left, Mount};
use crate::node::Refused;
use crate::path::Path;
use crate::policy::Policy;
use crate::state::{Ingest, State};
use crate::token::Token;
use crate::turn::Turn;

pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A frame of some graph with dependencies `D`.
pub(crate) trait Activation<D>: Send + Sync {
    /// The frame at an address, counted from this one.
    fn leaf(&mut self, address: &[u32]) -> Option<&mut dyn Activation<D>>;
    /// The address of the frame of that name, counted from this one.
    fn find(&self, path: &str, here: &mut Vec<u32>) -> bool;
    /// Every frame in which nothing is open, in the order of joins.
    fn walk(&self, trail: &mut Trail, visit: &mut dyn FnMut(&Trail, &Leaf<'_>));
    /// The forks on the way to an address that bound how many of their branches run at once, by their depth.
    fn lanes(&self, address: &[u32], depth: usize, visit: &mut dyn FnMut(usize, u32));
    /// Whether what fails there is taken over by a way `on error`.
    fn takes_failure(&self, address: &[u32]) -> bool;
    /// Changes the frame at an address, and moves on whatever that moves.
    fn advance(&mut self, address: &[u32], change: Change<'_>, course: &mut Course<'_>) -> Result<Rest, Fault>;
    /// Begins at the graph's start.
    fn begin(&mut self, course: &mut Course<'_>) -> Result<Rest, Fault>;
    /// Ends what is open in it, keeping what was committed.
    fn collapse(&mut self);
    /// What failed may be tried again.
    fn forgive(&mut self);
    /// What can run may go on past a breakpoint.
    fn pass(&mut self);
    /// Whether there is a breakpoint before the place where it stands, which nobody let it pass; and whether one after it.
    fn breaks(&self, breaks: &Breaks) -> (bool, bool);
    /// As it is stored.
    fn store(&self) -> Result<StoredFrame, CodecError>;

    /// Which frame it is, and at what it stands.
    fn spot(&self) -> Spot;
    /// Whether a place waits there to be run.
    fn can_run(&self) -> bool;
    /// When the place is tried again that failed there.
    fn due(&self) -> Option<Timestamp>;
    /// Begins to run the place where it stands; `cx` is told which it is.
    fn launch(&mut self, turn: &Turn, cx: &mut Context<D>) -> Option<Launch>;
    /// Makes an update of its place what is stored.
    fn take_in(&mut self, update: Box<dyn Any + Send>, ingest: &mut Ingest<'_>) -> Result<Box<RawValue>, CodecError>;
    /// How the place is where it stands or asks.
    fn manner(&self) -> Option<Manner>;
    /// The question that it waits for.
    fn parked(&mut self) -> Option<Asked<'_>>;
    /// Takes an answer to the interrupt, and makes what it gives what is stored.
    fn answer(&mut self, answer: &Value, ingest: &mut Ingest<'_>) -> Result<(Box<RawValue>, u16), Unanswered>;
    /// Tells the outside world of its question.
    fn notify<'a>(&'a mut self, asked: &'a Value, token: &'a Token, cx: &'a Context<D>) -> Option<Boxed<'a, Result<(), NodeError>>>;
}

/// How a place is.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) policy: &'static Policy,
    /// Whether it has a way `on expiry`.
    pub(crate) expiry_way: bool,
    /// Whether somebody is told of its questions.
    pub(crate) notifies: bool,
}

/// Which frame, and which of its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) path: Path,
    pub(crate) ord: u64,
    pub(crate) place: &'static str,
}

/// The way to a frame.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// Branches.
    pub(crate) here: Address,
    /// Places at which the graphs around it are mounted.
    pub(crate) within: Vec<&'static str>,
}

/// A frame in which nothing is open.
pub(crate) struct Leaf<'a> {
    pub(crate) path: &'a Path,
    pub(crate) ord: u64,
    pub(crate) place: &'static str,
    pub(crate) stands: Stands<'a>,
}

/// What a leaf does.
pub(crate) enum Stands<'a> {
    /// It can run.
    Runs,
    /// It goes on only when somebody lets the thread proceed: its place failed, or is done and its way was not found.
    Stuck { failed: &'a FailedPlace, unrouted: bool },
    /// It waits for an answer.
    Parked { question: &'a StoredQuestion, opened_at: Timestamp },
    /// It is done.
    Done,
    /// It stands where the graph has nothing.
    Gone(&'a str),
}

/// A question in a frame.
pub(crate) struct Asked<'a> {
    pub(crate) question: &'a mut StoredQuestion,
    pub(crate) opened_at: &'a mut Timestamp,
    /// The node that asks.
    pub(crate) node: &'static str,
}

/// Why an answer was not taken.
pub(crate) enum Unanswered {
    Refused(Refused),
    Codec(CodecError),
}

/// A place that begins to run.
pub(crate) struct Launch {
    pub(crate) body: Body,
    pub(crate) policy: &'static Policy,
    /// Attempts before this one.
    pub(crate) attempts: u32,
    /// Where its body says that it gets on, if its time is limited.
    pub(crate) beat: Option<Arc<Beat>>,
}

/// A graph that is mounted in one over state `P`.
pub(crate) trait Guest<P: State, D>: Send + Sync {
    fn frame(&self) -> &dyn Activation<D>;
    fn frame_mut(&mut self) -> &mut dyn Activation<D>;
    /// Whether it works on the state around it.
    fn is_whole(&self) -> bool;
    /// What it came to, as updates of the state around it.
    fn leave(&mut self) -> Result<Vec<P::Patch>, NodeError>;
    fn clone_box(&self) -> Box<dyn Guest<P, D>>;
}

/// A mounted graph, and how it is mounted.
pub(crate) struct Mounted<P: State, D, M: Mount<P, D, I>, I> {
    pub(crate) frame: Frame<M::Graph>,
    pub(crate) how: PhantomData<fn(P, D, I) -> M>,
}

impl<P, D, M, I> Guest<P, D> for Mounted<P, D, M, I>
where
    P: State,
    D: Send + Sync + 'static,
    M: Mount<P, D, I>,
    I: 'static,
{
    fn frame(&self) -> &dyn Activation<D> {
        &self.frame
    }

    fn frame_mut(&mut self) -> &mut dyn Activation<D> {
        &mut self.frame
    }

    fn is_whole(&self) -> bool {
        self.frame.kind == Kind::Whole
    }

    fn leave(&mut self) -> Result<Vec<P::Patch>, NodeError> {
        let log = std::mem::take(&mut self.frame.log);
        // What the log holds is not asked of the state of a graph that works on the state around it.
        let state = if self.is_whole() { Default::default() } else { self.frame.state().clone() };
        M::leave(Left { state, log })
    }

    fn clone_box(&self) -> Box<dyn Guest<P, D>> {
        Box::new(Self { frame: self.frame.clone(), how: PhantomData })
    }
}
