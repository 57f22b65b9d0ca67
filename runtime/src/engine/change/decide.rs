//! Where a frame goes on: routers are asked, or the row is read.

use std::marker::PhantomData;
use std::mem;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::engine::change::course::{By, Course, Fault, WayTaken};
use crate::engine::log::names;
use crate::engine::log::row::{CodecError, Move, StoredFork, StoredFrom};
use crate::engine::run::drive::caught_now;
use crate::engine::run::journal::never;
use crate::engine::thread::frame::{Frame, Kind, Tail, View};
use crate::engine::thread::ghost;
use crate::engine::thread::guest::{Guest, Mounted};
use crate::error::{FailedPlace, NodeError};
use crate::graph::{Branch, Graph, Next, To};
use crate::item::Item;
use crate::mount::{Entry, Mount, MountVisitor};
use crate::path::{Key, Path};
use crate::state::State;
use crate::topology::{ForkKind, Origin, Target};

/// Joins and mounted graphs that a frame may pass in one change.
const ROUNDS: u32 = 1_000;

/// Where a frame goes on, with all that it needs there.
pub(crate) enum Go<G: Graph> {
    Place(G::At),
    Mount(Option<G::At>, Box<dyn Guest<G::State, G::Deps>>),
    Fork(Result<u16, Box<str>>, Vec<Sprout<G>>),
    Arrived,
    Ended(u16),
    Unrouted(Tail<G>, FailedPlace),
    Gone(Box<str>),
}

/// A branch before its first step.
pub(crate) struct Sprout<G: Graph> {
    pub(crate) key: Key,
    pub(crate) item: G::Item,
    pub(crate) first: Tail<G>,
}

impl<G: Graph> Frame<G> {
    /// `round` counts what the frame has passed in this change.
    pub(crate) fn decide(&mut self, tail: Tail<G>, round: u32, course: &mut Course<'_>) -> Result<Go<G>, Fault> {
        if course.is_told() {
            return self.told(course);
        }
        let go = if round < ROUNDS {
            self.choose(tail, course)?
        } else {
            let why = format!("{ROUNDS} joins and mounted graphs were passed, and no place was reached: give the loop a place that runs");
            unrouted(tail, &why)
        };
        if let Go::Unrouted(tail, failed) = &go {
            course.record(|| Move::Unrouted(tail.stored(), failed.clone()));
        }
        Ok(go)
    }

    fn choose(&mut self, tail: Tail<G>, course: &mut Course<'_>) -> Result<Go<G>, Fault> {
        let next = match tail {
            Tail::Into(at) => Next { to: To::Place(at), way: u16::MAX, budget: None },
            Tail::Fork(fork) => Next { to: To::Fork(fork), way: u16::MAX, budget: None },
            Tail::Branch(way, to) => Next { to, way, budget: None },
            Tail::Start | Tail::Place(..) | Tail::Join(_) | Tail::Error(_) | Tail::Expiry(_) => match self.route(tail, course) {
                Ok(next) => next,
                Err(why) => return Ok(unrouted(tail, &why)),
            },
        };
        if let Some(budget) = next.budget {
            self.taken.count(usize::from(budget));
            let taken = &self.taken;
            course.record(|| {
                let (key, count) = names::budget_taken(G::TOPOLOGY, taken, budget);
                Move::Taken(key, count)
            });
        }
        self.resolve(tail, next, course)
    }

    fn route(&mut self, tail: Tail<G>, course: &mut Course<'_>) -> Result<Next<G::At>, String> {
        let By::Routers { looks, .. } = &mut course.by else { return Err(never()) };
        let number = |at: G::At| u16::try_from(G::index(at)).unwrap_or(u16::MAX);
        let looks = match tail {
            Tail::Place(at, _) => looks.at::<G>(Origin::Place(number(at))),
            Tail::Join(fork) => looks.at::<G>(Origin::Join(fork)),
            _ => true,
        };
        let state = if looks {
            self.state();
            self.view.get()
        } else {
            self.view.get()
        };
        mem::swap(&mut course.turn.taken, &mut self.taken);
        let turn = &*course.turn;
        let routed = caught_now(|| match tail {
            Tail::Place(at, arm) => Some(G::next(at, arm, state, turn)),
            Tail::Join(fork) => Some(G::joined(fork, state, turn)),
            Tail::Start => Some(G::start(state, turn)),
            Tail::Error(at) => G::on_error(at),
            Tail::Expiry(at) => G::on_expiry(at),
            Tail::Into(_) | Tail::Fork(_) | Tail::Branch(..) => None,
        });
        mem::swap(&mut course.turn.taken, &mut self.taken);
        match routed {
            Ok(next) => next.ok_or_else(never),
            Err(panic) => Err(course.panicked("its router", &panic)),
        }
    }

    /// What stands at the end of a way.
    fn resolve(&mut self, tail: Tail<G>, next: Next<G::At>, course: &mut Course<'_>) -> Result<Go<G>, Fault> {
        let Next { to, way, .. } = next;
        let branch = match self.kind {
            Kind::Branch(fork) => fork,
            Kind::Root | Kind::Whole | Kind::Apart => None,
        };
        let arrives = match (to, branch) {
            (To::Join, Some(_)) => true,
            (To::Place(at), Some(fork)) => {
                let join = G::TOPOLOGY.forks.get(usize::from(fork)).and_then(|fork| fork.join);
                join.is_some_and(|join| usize::from(join) == G::index(at))
            }
            _ => false,
        };
        if course.ways.is_some() {
            let way = if arrives { self.arriving(tail, way) } else { way };
            self.tell(way, course);
        }
        if arrives {
            course.record(|| Move::Arrived);
            return Ok(Go::Arrived);
        }
        match to {
            To::Place(at) if names::is_mount::<G>(at) => match self.mount(at, None, course)? {
                Ok((guest, input)) => {
                    course.record(|| Move::Mount(names::name::<G>(at).to_owned(), input));
                    Ok(Go::Mount(Some(at), guest))
                }
                Err(why) => Ok(unrouted(Tail::Into(at), &why)),
            },
            To::Place(at) => {
                course.record(|| Move::At(names::name::<G>(at).to_owned()));
                Ok(Go::Place(at))
            }
            To::Fork(fork) => self.sprouts(fork, course),
            To::End(exit) if branch.is_none() => {
                course.record(|| Move::Ended(names::exit_name(G::TOPOLOGY, exit).to_owned()));
                Ok(Go::Ended(exit))
            }
            To::End(_) => Ok(unrouted(tail, "a branch leads out of the graph: let it lead to the join")),
            To::Join => Ok(unrouted(tail, "a join was reached that no fork around it has")),
            To::Never => Ok(unrouted(tail, &never())),
        }
    }

    /// The branches of a fork, frozen from now on.
    fn sprouts(&mut self, fork: u16, course: &mut Course<'_>) -> Result<Go<G>, Fault> {
        let kind = G::TOPOLOGY.forks.get(usize::from(fork)).map_or(ForkKind::All, |fork| fork.kind);
        if kind != ForkKind::All {
            self.state();
        }
        let (state, item, turn) = (self.view.get(), &self.item, &*course.turn);
        let branches = match caught_now(|| G::branches(fork, state, item, turn)) {
            Ok(branches) => branches,
            Err(panic) => return Ok(unrouted(Tail::Fork(fork), &course.panicked("what chooses the branches", &panic))),
        };
        let mut stored = StoredFork { fork: String::new(), keys: Vec::new(), items: Vec::new() };
        let mut sprouts = Vec::with_capacity(branches.len());
        for (Branch { way, to, mut item }, index) in branches.into_iter().zip(0_u32..) {
            let key = if kind == ForkKind::Each {
                if course.is_kept() {
                    item = match keep_item::<G>(fork, &item, &mut stored.items) {
                        Ok(item) => item,
                        Err(error) => return Ok(unrouted(Tail::Fork(fork), &format!("item {index} cannot be stored: {error}"))),
                    };
                }
                Key::Item(index)
            } else {
                let name = unlike(&sprouts, names::branch_name::<G>(way, to));
                if course.is_kept() {
                    stored.keys.push(name.clone());
                }
                Key::Name(name.into())
            };
            sprouts.push(Sprout { key, item, first: Tail::Branch(way, to) });
        }
        course.record(|| Move::Fork(StoredFork { fork: names::fork_name(G::TOPOLOGY, fork), ..stored }));
        Ok(Go::Fork(Ok(fork), sprouts))
    }

    /// The graph that is mounted there, begun with what is told, or with what it asks for.
    fn mount(&mut self, at: G::At, told: Option<(&str, Option<&RawValue>)>, course: &mut Course<'_>) -> Result<Entered<G>, Fault> {
        self.state();
        let key = told.map_or_else(|| names::name::<G>(at), |(place, _)| place);
        let path = self.path.inner(self.ord, Key::Name(key.into()));
        let enter = Enter { state: self.view.get(), path, told: told.map(|(_, input)| input), course };
        match G::mount(at, &self.item, enter) {
            Some(entered) => entered,
            None => Ok(Err("no graph is mounted there".to_owned())),
        }
    }

    /// The way by which a branch arrives at the join of its own fork, where a place leads to the joins of several.
    fn arriving(&self, tail: Tail<G>, way: u16) -> u16 {
        let (Tail::Place(at, _), Kind::Branch(Some(fork))) = (tail, self.kind) else { return way };
        let of_this = |to: Target| match to {
            Target::Join(other) => other == fork,
            _ => true,
        };
        if G::TOPOLOGY.ways.get(usize::from(way)).is_none_or(|way| of_this(way.to)) {
            return way;
        }
        let mut ways = G::TOPOLOGY.ways.iter().zip(0_u16..);
        let own = ways.find(|(way, _)| way.to == Target::Join(fork) && way.from.place().map(usize::from) == Some(G::index(at)));
        own.map_or(way, |(_, number)| number)
    }

    fn tell(&self, way: u16, course: &mut Course<'_>) {
        let Some(taken) = G::TOPOLOGY.ways.get(usize::from(way)) else { return };
        let (from, to) = (names::origin(G::TOPOLOGY, taken.from), names::target(G::TOPOLOGY, taken.to));
        if let Some(ways) = &mut course.ways {
            ways.push(WayTaken {
                #[cfg(feature = "testing")]
                graph: G::TOPOLOGY,
                path: self.path.clone(),
                way,
                from,
                to,
            });
        }
    }

    /// As the row tells it.
    fn told(&mut self, course: &mut Course<'_>) -> Result<Go<G>, Fault> {
        let mut next = course.told()?;
        if let Move::Taken(key, count) = next {
            names::restore_budget::<G>(&mut self.taken, key, *count);
            next = course.told()?;
        }
        Ok(match next {
            Move::At(place) => match names::find_place::<G>(place) {
                Some(at) => Go::Place(at),
                None => Go::Gone(place.as_str().into()),
            },
            Move::Mount(place, input) => match names::find_place::<G>(place) {
                Some(at) if names::is_mount::<G>(at) => match self.mount(at, Some((place, input.as_deref())), course)? {
                    Ok((guest, _)) => Go::Mount(Some(at), guest),
                    Err(_) => return Err(Fault::Damaged("a mounted graph begins otherwise than it did")),
                },
                _ => Go::Mount(None, ghost::begins(self.path.inner(self.ord, Key::Name(place.as_str().into())), input.is_none())),
            },
            Move::Fork(fork) => self.told_fork(fork)?,
            Move::Arrived if matches!(self.kind, Kind::Branch(_)) => Go::Arrived,
            Move::Ended(exit) => match (names::find_exit(G::TOPOLOGY, exit), self.kind) {
                (Some(exit), _) => Go::Ended(exit),
                // The row tells what comes behind it.
                (None, Kind::Whole | Kind::Apart) => Go::Ended(u16::MAX),
                (None, Kind::Root | Kind::Branch(_)) => Go::Gone(format!("end {exit}").into()),
            },
            Move::Unrouted(from, failed) => match Tail::restore(from) {
                Some(tail) => Go::Unrouted(tail, failed.clone()),
                None => Go::Gone(from.what().into()),
            },
            Move::Arrived | Move::Taken(..) | Move::Left(_) | Move::Merged(_) | Move::Up | Move::Inside(_) | Move::Failed(_) => {
                return Err(Fault::Damaged("it tells of something that did not happen there"));
            }
        })
    }

    fn told_fork(&self, stored: &StoredFork) -> Result<Go<G>, Fault> {
        let number = names::find_fork::<G>(&stored.fork).ok_or_else(|| Box::from(stored.fork.as_str()));
        let named =
            stored.keys.iter().map(|key| Sprout { key: Key::Name(key.as_str().into()), item: self.item.clone(), first: Tail::Start });
        let mut sprouts: Vec<Sprout<G>> = named.collect();
        for (item, index) in stored.items.iter().zip(0_u32..) {
            let item = load_item::<G>(&number, item)?;
            sprouts.push(Sprout { key: Key::Item(index), item, first: Tail::Start });
        }
        Ok(Go::Fork(number, sprouts))
    }
}

/// An item as it is stored. Of a fork that the graph has no more nobody asks for it.
pub(crate) fn load_item<G: Graph>(fork: &Result<u16, Box<str>>, stored: &RawValue) -> Result<G::Item, Fault> {
    match fork {
        Ok(fork) => {
            G::Item::load(*fork, stored).map_err(|error| Fault::Codec(CodecError::Unreadable(crate::engine::without_value(&error))))
        }
        Err(_) => Ok(G::Item::NONE),
    }
}

/// Stores an item, and gives it as it will be read.
fn keep_item<G: Graph>(fork: u16, item: &G::Item, items: &mut Vec<Box<RawValue>>) -> Result<G::Item, CodecError> {
    let lossy = |error: serde_json::Error| CodecError::Lossy(crate::engine::without_value(&error));
    let stored = item.store().map_err(lossy)?.ok_or_else(|| CodecError::Lossy("it is no item".to_owned()))?;
    crate::engine::log::row::bounded(stored.get())?;
    let back = G::Item::load(fork, &stored).map_err(lossy)?;
    items.push(stored);
    Ok(back)
}

fn unrouted<G: Graph>(tail: Tail<G>, why: &str) -> Go<G> {
    Go::Unrouted(tail, FailedPlace::new(tail.place(), &NodeError::fatal(why), 1))
}

/// A name that none of the branches before has.
fn unlike<G: Graph>(before: &[Sprout<G>], name: String) -> String {
    let is_taken = |name: &str| before.iter().any(|sprout| matches!(&sprout.key, Key::Name(other) if **other == *name));
    let numbered = (2_u32..).map(|n| format!("{name}#{n}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
}

/// A mounted graph and its input, or why it does not begin.
type Entered<G> = Result<(Box<dyn Guest<<G as Graph>::State, <G as Graph>::Deps>>, Option<Box<RawValue>>), String>;

struct Enter<'a, 'b, S> {
    state: &'a S,
    path: Path,
    told: Option<Option<&'a RawValue>>,
    course: &'a mut Course<'b>,
}

impl<G: Graph> MountVisitor<G> for Enter<'_, '_, G::State> {
    type Out = Result<Entered<G>, Fault>;

    fn visit<M: Mount<G::State, G::Deps, I>, I: 'static>(self, item: &I) -> Self::Out {
        let Self { state, path, told, course } = self;
        let guest = |view: View<<M::Graph as Graph>::State>, kind| -> Box<dyn Guest<G::State, G::Deps>> {
            let frame = Frame::<M::Graph>::new(view, kind, path, <M::Graph as Graph>::Item::NONE);
            Box::new(Mounted::<G::State, G::Deps, M, I> { frame, how: PhantomData })
        };
        let shared = |state| View::Shared(Arc::new(state));
        if let Some(Some(input)) = told {
            let mut state = <M::Graph as Graph>::State::default();
            state.apply(crate::engine::thread::frame::read::<M::Graph>(input)?);
            return Ok(Ok((guest(shared(state), Kind::Apart), None)));
        }
        let input = match caught_now(|| M::enter(state, item)) {
            Ok(Entry::Whole(state)) => return Ok(Ok((guest(shared(state), Kind::Whole), None))),
            Ok(Entry::Input(input)) if told.is_none() => input,
            Ok(Entry::Input(_)) => return Ok(Err("it has a state of its own now".to_owned())),
            Err(panic) => return Ok(Err(course.panicked("its `enter`", &panic))),
        };
        let mut state = <M::Graph as Graph>::State::default();
        let input = match course.with_ingest(|ingest| state.ingest(input.clone(), ingest)) {
            Some(input) => input,
            None => input,
        };
        let (raw, input) = match course.settle(input) {
            Ok(settled) => settled,
            Err(error) => return Ok(Err(format!("what it begins with cannot be stored: {error}"))),
        };
        state.apply(input);
        Ok(Ok((guest(shared(state), Kind::Apart), raw)))
    }
}

impl<G: Graph> Tail<G> {
    pub(crate) fn stored(self) -> StoredFrom {
        let place = |at| names::name::<G>(at).to_owned();
        match self {
            Self::Start => StoredFrom::Start,
            Self::Place(at, arm) => StoredFrom::Place(place(at), arm),
            Self::Join(fork) => StoredFrom::Join(names::fork_name(G::TOPOLOGY, fork)),
            Self::Error(at) => StoredFrom::Error(place(at)),
            Self::Expiry(at) => StoredFrom::Expiry(place(at)),
            Self::Into(at) | Self::Branch(_, To::Place(at)) => StoredFrom::Into(place(at)),
            Self::Fork(fork) | Self::Branch(_, To::Fork(fork)) => StoredFrom::Fork(names::fork_name(G::TOPOLOGY, fork)),
            Self::Branch(_, To::Join | To::End(_) | To::Never) => StoredFrom::Start,
        }
    }

    pub(crate) fn restore(stored: &StoredFrom) -> Option<Self> {
        let place = |name: &str| names::find_place::<G>(name);
        let fork = |name: &str| names::find_fork::<G>(name);
        Some(match stored {
            StoredFrom::Start => Self::Start,
            StoredFrom::Place(at, arm) => Self::Place(place(at)?, *arm),
            StoredFrom::Join(name) => Self::Join(fork(name)?),
            StoredFrom::Error(at) => Self::Error(place(at)?),
            StoredFrom::Expiry(at) => Self::Expiry(place(at)?),
            StoredFrom::Into(at) => Self::Into(place(at)?),
            StoredFrom::Fork(name) => Self::Fork(fork(name)?),
        })
    }
}
