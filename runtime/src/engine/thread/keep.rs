//! A frame as it is stored, and back.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::clock::Timestamp;
use crate::engine::change::course::Fault;
use crate::engine::change::decide::load_item;
use crate::engine::log::names;
use crate::engine::log::row::{self, CodecError};
use crate::engine::run::drive::caught_now;
use crate::engine::thread::frame::{Cursor, Fork, Frame, Kind, Parked, Tail, Trouble, View, read};
use crate::engine::thread::ghost;
use crate::engine::thread::guest::{Guest, Mounted};
use crate::engine::thread::stored::{StoredBranch, StoredCursor, StoredFrame, StoredTrouble};
use crate::graph::Graph;
use crate::item::Item;
use crate::mount::{Entry, Mount, MountVisitor};
use crate::path::{Key, Path};

impl<G: Graph> Frame<G> {
    pub(crate) fn stored(&self) -> Result<StoredFrame, CodecError> {
        // Made of updates that were read back each, so this need not be.
        let state = match self.kind {
            Kind::Root | Kind::Apart => Some(row::raw(self.view.get())?),
            Kind::Branch(_) | Kind::Whole => None,
        };
        Ok(StoredFrame {
            state,
            at: self.stored_cursor()?,
            ord: self.ord,
            taken: names::stored_budgets(G::TOPOLOGY, &self.taken),
            log: self.log.iter().map(row::raw).collect::<Result<_, _>>()?,
            trouble: self.trouble.as_ref().map(|trouble| StoredTrouble { failed: trouble.failed.clone(), due: trouble.due }),
            behind: self.behind.as_deref().cloned(),
            passed: self.passed,
        })
    }

    fn stored_cursor(&self) -> Result<StoredCursor, CodecError> {
        Ok(match &self.cursor {
            Cursor::At(at) => StoredCursor::At(names::name::<G>(*at).to_owned()),
            Cursor::Parked(parked) => {
                StoredCursor::Parked { place: names::name::<G>(parked.at).to_owned(), question: parked.question.clone() }
            }
            Cursor::Unrouted(tail) => StoredCursor::Unrouted(tail.stored()),
            Cursor::Fork(fork) => {
                let name = fork.number.as_ref().map_or_else(|name| name.to_string(), |number| names::fork_name(G::TOPOLOGY, *number));
                // Collected into a result it would grow by and by, and there may be very many.
                let mut branches = Vec::with_capacity(fork.branches.len());
                for branch in &fork.branches {
                    branches.push(branch.stored_branch()?);
                }
                StoredCursor::Fork { fork: name, branches }
            }
            Cursor::Mounted(at, guest) => {
                let place = at.map_or_else(String::new, |at| names::name::<G>(at).to_owned());
                StoredCursor::Mounted { place, frame: Box::new(guest.frame().store()?) }
            }
            Cursor::Arrived => StoredCursor::Arrived,
            Cursor::Ended(exit) => StoredCursor::Ended(names::exit_name(G::TOPOLOGY, *exit).to_owned()),
            Cursor::Closed => StoredCursor::Closed,
            Cursor::Gone(what) => StoredCursor::At(what.to_string()),
        })
    }

    /// A frame out of its stored form. `base` is the state around it.
    pub(crate) fn restore(
        stored: &StoredFrame,
        (kind, path, item): (Kind, Path, G::Item),
        base: Option<Arc<G::State>>,
    ) -> Result<Self, Fault> {
        let unreadable = |error: serde_json::Error| Fault::Codec(CodecError::Unreadable(crate::engine::without_value(&error)));
        let view = match (&stored.state, base) {
            (Some(state), _) => {
                let state: G::State = serde_json::from_str(state.get()).map_err(unreadable)?;
                if kind == Kind::Root { View::own(state) } else { View::Shared(Arc::new(state)) }
            }
            (None, Some(base)) => View::Shared(base),
            (None, None) => return Err(Fault::Damaged("a frame has no state")),
        };
        let mut frame = Self::new(view, kind, path, item);
        frame.ord = stored.ord;
        for (key, count) in &stored.taken {
            names::restore_budget::<G>(&mut frame.taken, key, *count);
        }
        frame.log = stored.log.iter().map(|update| read::<G>(update)).collect::<Result<_, _>>()?;
        frame.trouble = stored.trouble.as_ref().map(|trouble| Box::new(Trouble { failed: trouble.failed.clone(), due: trouble.due }));
        frame.behind = stored.behind.clone().map(Arc::new);
        frame.passed = stored.passed;
        frame.cursor = frame.restore_cursor(&stored.at)?;
        Ok(frame)
    }

    /// A branch of an open fork.
    fn stored_branch(&self) -> Result<StoredBranch, CodecError> {
        let (key, item) = match self.path.key() {
            Some(Key::Name(name)) => (Some(name.to_string()), None),
            _ => (None, self.item.store().map_err(|error| CodecError::Lossy(crate::engine::without_value(&error)))?),
        };
        Ok(StoredBranch { key, item, frame: self.stored()? })
    }

    fn restore_cursor(&mut self, stored: &StoredCursor) -> Result<Cursor<G>, Fault> {
        let gone = |what: &str| Cursor::Gone(what.into());
        Ok(match stored {
            StoredCursor::At(place) => names::find_place::<G>(place).map_or_else(|| gone(place), Cursor::At),
            StoredCursor::Parked { place, question } => names::find_place::<G>(place).map_or_else(
                || gone(place),
                |at| Cursor::Parked(Box::new(Parked { at, question: question.clone(), opened_at: Timestamp::default() })),
            ),
            StoredCursor::Unrouted(from) => Tail::restore(from).map_or_else(|| gone(from.what()), Cursor::Unrouted),
            StoredCursor::Ended(exit) => names::find_exit(G::TOPOLOGY, exit).map_or_else(|| gone(&format!("end {exit}")), Cursor::Ended),
            StoredCursor::Arrived => Cursor::Arrived,
            StoredCursor::Closed => Cursor::Closed,
            StoredCursor::Fork { fork, branches } => {
                let number = names::find_fork::<G>(fork).ok_or_else(|| Box::from(fork.as_str()));
                self.state();
                let base = self.view.share();
                let mut fork = Fork { number, branches: Vec::with_capacity(branches.len()), arrived: 0 };
                for (branch, index) in branches.iter().zip(0_u32..) {
                    let key = branch.key.as_ref().map_or(Key::Item(index), |key| Key::Name(key.as_str().into()));
                    let item = match &branch.item {
                        Some(item) => load_item::<G>(&fork.number, item)?,
                        None => self.item.clone(),
                    };
                    let kind = Kind::Branch(fork.number.as_ref().ok().copied());
                    let this = (kind, self.path.inner(self.ord, key), item);
                    let frame = Self::restore(&branch.frame, this, Some(base.clone()))?;
                    fork.arrived += usize::from(matches!(frame.cursor, Cursor::Arrived));
                    fork.branches.push(frame);
                }
                Cursor::Fork(Box::new(fork))
            }
            StoredCursor::Mounted { place, frame } => {
                self.state();
                let path = self.path.inner(self.ord, Key::Name(place.as_str().into()));
                let at = names::find_place::<G>(place).filter(|at| names::is_mount::<G>(*at));
                let restore = Restore { state: self.view.get(), path: path.clone(), stored: frame };
                match at.and_then(|at| G::mount(at, &self.item, restore)) {
                    Some(guest) => Cursor::Mounted(at, guest?),
                    None => Cursor::Mounted(None, ghost::restored(path, frame)?),
                }
            }
        })
    }
}

struct Restore<'a, S> {
    state: &'a S,
    path: Path,
    stored: &'a StoredFrame,
}

impl<G: Graph> MountVisitor<G> for Restore<'_, G::State> {
    type Out = Result<Box<dyn Guest<G::State, G::Deps>>, Fault>;

    fn visit<M: Mount<G::State, G::Deps, I>, I: 'static>(self, item: &I) -> Self::Out {
        let Self { state, path, stored } = self;
        let (kind, base) = if stored.state.is_some() {
            (Kind::Apart, None)
        } else {
            match caught_now(|| M::enter(state, item)) {
                Ok(Entry::Whole(state)) => (Kind::Whole, Some(Arc::new(state))),
                Ok(Entry::Input(_)) | Err(_) => return Err(Fault::Damaged("a mounted graph has a state of its own now")),
            }
        };
        let frame = Frame::<M::Graph>::restore(stored, (kind, path, <M::Graph as Graph>::Item::NONE), base)?;
        Ok(Box::new(Mounted::<G::State, G::Deps, M, I> { frame, how: PhantomData }))
    }
}
