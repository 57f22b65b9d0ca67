//! A frame: one activation of a graph, or one branch of a fork. Frames in frames are a tree, the thread in memory.

use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::engine::change::course::Fault;
use crate::engine::log::names;
use crate::engine::log::row::{CodecError, StoredQuestion};
use crate::engine::thread::guest::Guest;
use crate::error::FailedPlace;
use crate::graph::{Graph, Patch, To};
use crate::item::Item;
use crate::path::Path;
use crate::state::State;
use crate::turn::Budgets;

/// Where it stands, what it sees, and what counts in it.
pub(crate) struct Frame<G: Graph> {
    /// The state, with the first `seen` updates of the log.
    pub(crate) view: View<G::State>,
    pub(crate) cursor: Cursor<G>,
    pub(crate) item: G::Item,
    pub(crate) kind: Kind,
    pub(crate) path: Path,
    /// Its committed steps, and what was opened and closed in it: the number of the next one.
    pub(crate) ord: u64,
    pub(crate) taken: Budgets,
    /// Its updates, for the frame around it.
    pub(crate) log: Vec<Patch<G>>,
    /// How many of them the view has: an update that nothing in the branch looks at is never applied there.
    pub(crate) seen: usize,
    pub(crate) trouble: Option<Box<Trouble>>,
    /// What failed, if the frame stands behind a way `on error`.
    pub(crate) behind: Option<Arc<FailedPlace>>,
    /// Somebody let it go on past a breakpoint before its place.
    pub(crate) passed: bool,
}

/// What a frame is to the one around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Root,
    /// A branch of this fork; none if the graph has not that fork any more.
    Branch(Option<u16>),
    /// A mounted graph that works on the state around it.
    Whole,
    /// A mounted graph with a state of its own.
    Apart,
}

/// A state, or a share of one.
#[derive(Clone)]
pub(crate) enum View<S> {
    /// The root's, while it runs alone.
    Own(Box<S>),
    /// Cloned at the first write, if others see it, too.
    Shared(Arc<S>),
}

/// Where a frame stands.
pub(crate) enum Cursor<G: Graph> {
    /// At a place, to be run.
    At(G::At),
    /// At a place that asked.
    Parked(Box<Parked<G>>),
    /// No way leads on.
    Unrouted(Tail<G>),
    /// In branches.
    Fork(Box<Fork<G>>),
    /// In a mounted graph; one that is not there any more has no place.
    Mounted(Option<G::At>, Box<dyn Guest<G::State, G::Deps>>),
    /// The branch is done.
    Arrived,
    Ended(u16),
    /// The turn ended before its time.
    Closed,
    /// Where the graph has nothing any more.
    Gone(Box<str>),
}

/// From where a way is looked for.
#[derive(Debug)]
pub(crate) enum Tail<G: Graph> {
    /// The graph's start.
    Start,
    /// A place, and the arm that it chose.
    Place(G::At, u16),
    /// The join of a fork.
    Join(u16),
    /// A place `on error`.
    Error(G::At),
    /// A place `on expiry`.
    Expiry(G::At),
    /// The way is known, and leads into this place.
    Into(G::At),
    /// The way is known, and leads into this fork.
    Fork(u16),
    /// A branch begins by this way.
    Branch(u16, To<G::At>),
}

impl<G: Graph> Clone for Tail<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Graph> Copy for Tail<G> {}

/// A place that asked, and its question.
pub(crate) struct Parked<G: Graph> {
    pub(crate) at: G::At,
    pub(crate) question: StoredQuestion,
    pub(crate) opened_at: Timestamp,
}

/// An open fork. Its branches are in the order in which they are joined.
pub(crate) struct Fork<G: Graph> {
    /// Its number, or its name if the graph has it no more.
    pub(crate) number: Result<u16, Box<str>>,
    pub(crate) branches: Vec<Frame<G>>,
    pub(crate) arrived: usize,
}

/// Attempts of the place where a frame stands that failed.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    pub(crate) failed: FailedPlace,
    /// When it is tried again; only when somebody lets the thread proceed, if never.
    pub(crate) due: Option<Timestamp>,
}

impl<S: Clone + Default> View<S> {
    pub(crate) fn own(state: S) -> Self {
        Self::Own(Box::new(state))
    }

    pub(crate) fn get(&self) -> &S {
        match self {
            Self::Own(state) => state,
            Self::Shared(state) => state,
        }
    }

    /// To write to.
    pub(crate) fn get_mut(&mut self) -> &mut S {
        match self {
            Self::Own(state) => state,
            Self::Shared(state) => Arc::make_mut(state),
        }
    }

    /// A share of it.
    pub(crate) fn share(&mut self) -> Arc<S> {
        match self {
            Self::Shared(state) => Arc::clone(state),
            Self::Own(state) => {
                let state = Arc::new(std::mem::take(&mut **state));
                *self = Self::Shared(Arc::clone(&state));
                state
            }
        }
    }

    /// Takes it back when nobody else sees it any more.
    pub(crate) fn unshare(&mut self) {
        if let Self::Shared(state) = self {
            *self = Self::own(std::mem::take(Arc::make_mut(state)));
        }
    }

    pub(crate) fn into_inner(mut self) -> S {
        std::mem::take(self.get_mut())
    }
}

impl<G: Graph> Frame<G> {
    /// The frame of a thread before its first turn.
    pub(crate) fn root() -> Self {
        Self::new(View::own(G::State::default()), Kind::Root, Path::default(), G::Item::NONE)
    }

    pub(crate) fn new(view: View<G::State>, kind: Kind, path: Path, item: G::Item) -> Self {
        Self {
            view,
            cursor: Cursor::Closed,
            item,
            kind,
            path,
            ord: 0,
            taken: Budgets::default(),
            log: Vec::new(),
            seen: 0,
            trouble: None,
            behind: None,
            passed: false,
        }
    }

    /// The state with every update of this frame.
    pub(crate) fn state(&mut self) -> &G::State {
        if self.seen < self.log.len() {
            let state = self.view.get_mut();
            for patch in self.log.iter().skip(self.seen) {
                state.apply(patch.clone());
            }
            self.seen = self.log.len();
        }
        self.view.get()
    }

    /// Takes an update in.
    pub(crate) fn write(&mut self, patch: Patch<G>) {
        match self.kind {
            Kind::Root | Kind::Apart => self.view.get_mut().apply(patch),
            Kind::Branch(_) | Kind::Whole => {
                if self.log.is_empty() {
                    // Most branches have one step.
                    self.log.reserve_exact(1);
                }
                self.log.push(patch);
            }
        }
    }

    /// Whether it waits at a place that can be run.
    pub(crate) fn can_run(&self) -> bool {
        matches!(self.cursor, Cursor::At(_)) && self.trouble.as_ref().is_none_or(|trouble| trouble.due.is_some())
    }

    /// What a new turn sets back.
    pub(crate) fn begin_anew(&mut self) {
        self.ord = 0;
        self.taken = Budgets::default();
        self.trouble = None;
        self.behind = None;
        self.passed = false;
    }

    /// What an edit sets back: the steps behind it are others than those that were tried before it.
    pub(crate) fn begin_behind(&mut self) {
        self.ord = self.ord.saturating_add(1);
        self.trouble = None;
        self.behind = None;
        self.passed = false;
    }

    /// The name of the place where it stands, or behind which.
    pub(crate) fn place(&self) -> &'static str {
        match &self.cursor {
            Cursor::At(at) | Cursor::Mounted(Some(at), _) => names::name::<G>(*at),
            Cursor::Parked(parked) => names::name::<G>(parked.at),
            Cursor::Unrouted(from) => from.place(),
            Cursor::Mounted(None, _) | Cursor::Fork(_) | Cursor::Arrived | Cursor::Ended(_) | Cursor::Closed | Cursor::Gone(_) => "",
        }
    }
}

impl<G: Graph> Tail<G> {
    /// The place, where it is one.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Self::Place(at, _) | Self::Error(at) | Self::Expiry(at) | Self::Into(at) | Self::Branch(_, To::Place(at)) => {
                names::name::<G>(at)
            }
            Self::Start => "start",
            Self::Join(_) | Self::Fork(_) | Self::Branch(..) => "",
        }
    }
}

/// An update as it is stored.
pub(crate) fn read<G: Graph>(raw: &RawValue) -> Result<Patch<G>, Fault> {
    serde_json::from_str(raw.get()).map_err(|error| Fault::Codec(CodecError::Unreadable(crate::engine::without_value(&error))))
}

// By hand: a derive would ask it of the graph.
impl<G: Graph> Clone for Frame<G> {
    fn clone(&self) -> Self {
        Self {
            view: self.view.clone(),
            cursor: self.cursor.clone(),
            item: self.item.clone(),
            kind: self.kind,
            path: self.path.clone(),
            ord: self.ord,
            taken: self.taken.clone(),
            log: self.log.clone(),
            seen: self.seen,
            trouble: self.trouble.clone(),
            behind: self.behind.clone(),
            passed: self.passed,
        }
    }
}

impl<G: Graph> Clone for Cursor<G> {
    fn clone(&self) -> Self {
        match self {
            Self::At(at) => Self::At(*at),
            Self::Parked(parked) => {
                let Parked { at, question, opened_at } = &**parked;
                Self::Parked(Box::new(Parked { at: *at, question: question.clone(), opened_at: *opened_at }))
            }
            Self::Unrouted(from) => Self::Unrouted(*from),
            Self::Fork(fork) => {
                let Fork { number, branches, arrived } = &**fork;
                Self::Fork(Box::new(Fork { number: number.clone(), branches: branches.clone(), arrived: *arrived }))
            }
            Self::Mounted(at, guest) => Self::Mounted(*at, guest.clone_box()),
            Self::Arrived => Self::Arrived,
            Self::Ended(exit) => Self::Ended(*exit),
            Self::Closed => Self::Closed,
            Self::Gone(what) => Self::Gone(what.clone()),
        }
    }
}

// What is in it is private.
impl<G: Graph> fmt::Debug for Frame<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").field("path", &self.path.to_string()).field("ord", &self.ord).finish_non_exhaustive()
    }
}
