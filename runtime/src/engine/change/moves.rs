//! How a frame moves on, and what that moves around it.

use crate::engine::change::course::{Change, Course, Fault, Rest, Update};
use crate::engine::change::decide::{Go, Sprout};
use crate::engine::log::names;
use crate::engine::log::row::Move;
use crate::engine::run::drive::caught_now;
use crate::engine::thread::frame::{Cursor, Fork, Frame, Kind, Parked, Tail, Trouble, View, read};
use crate::engine::thread::guest::{Activation, Stands, Trail};
use crate::error::{FailedPlace, NodeError};
use crate::graph::{Graph, Patch};
use crate::state::{FieldSet, State};
use crate::topology::Role;

impl<G: Graph> Frame<G> {
    /// Changes this frame itself.
    pub(crate) fn change(&mut self, change: Change<'_>, course: &mut Course<'_>) -> Result<Rest, Fault> {
        match change {
            Change::Step { update, arm } => {
                let tail = self.stands(course, |at| Tail::Place(at, arm))?;
                if let Some(patch) = self.given(update, course)? {
                    self.write(patch);
                }
                self.stepped(course);
                self.go(tail, course)
            }
            Change::Park { question, at: opened_at } => {
                let at = match self.cursor {
                    Cursor::At(at) => Some(at),
                    _ if course.is_told() => None,
                    _ => return Err(Fault::Moved),
                };
                self.stepped(course);
                // At a place that the graph has no more it stays there.
                if let Some(at) = at {
                    self.cursor = Cursor::Parked(Box::new(Parked { at, question, opened_at }));
                }
                Ok(Rest::Going)
            }
            Change::Answer { update, arm } => {
                let tail = self.asked(|at| Tail::Place(at, arm))?;
                let patch = read::<G>(update)?;
                self.write(patch);
                self.go(tail, course)
            }
            Change::Expire => {
                let tail = self.asked(Tail::Expiry)?;
                self.go(tail, course)
            }
            Change::Attempt(trouble) => {
                self.trouble = Some(Box::new(trouble));
                Ok(Rest::Going)
            }
            Change::Fail(failed) => {
                let tail = self.stands(course, Tail::Error)?;
                self.stepped(course);
                course.failing = Some(failed);
                self.take_failure(tail, course)
            }
            Change::Reroute if course.is_told() && !matches!(self.cursor, Cursor::Ended(_)) => {
                self.trouble = None;
                self.go(Tail::Start, course)
            }
            Change::Reroute => match &self.cursor {
                Cursor::Unrouted(tail) => {
                    let tail = *tail;
                    self.trouble = None;
                    self.go(tail, course)
                }
                // A mounted graph that could not be left.
                Cursor::Ended(exit) => Ok(Rest::Ended(*exit)),
                _ => Err(Fault::Moved),
            },
        }
    }

    /// The tail of a way from the place that has run. A row is believed, wherever the frame stands.
    fn stands(&self, course: &Course<'_>, tail: impl FnOnce(G::At) -> Tail<G>) -> Result<Tail<G>, Fault> {
        match self.cursor {
            Cursor::At(at) => Ok(tail(at)),
            _ if course.is_told() => Ok(Tail::Start),
            _ => Err(Fault::Moved),
        }
    }

    fn asked(&self, tail: impl FnOnce(G::At) -> Tail<G>) -> Result<Tail<G>, Fault> {
        match &self.cursor {
            Cursor::Parked(parked) => Ok(tail(parked.at)),
            // A place that the graph has no more.
            Cursor::Gone(_) => Ok(Tail::Start),
            _ => Err(Fault::Moved),
        }
    }

    fn given(&mut self, update: Update<'_>, course: &mut Course<'_>) -> Result<Option<Patch<G>>, Fault> {
        match update {
            Update::Stored(raw) => raw.map(read::<G>).transpose(),
            Update::Fresh(any) => {
                let patch = *any.downcast::<Patch<G>>().map_err(|_| Fault::Moved)?;
                self.ingest(patch, course).map(Some)
            }
        }
    }

    fn ingest(&mut self, patch: Patch<G>, course: &mut Course<'_>) -> Result<Patch<G>, Fault> {
        if !G::State::INGESTS {
            return Ok(patch);
        }
        let state = self.state();
        course.with_ingest(|ingest| state.ingest(patch, ingest)).ok_or(Fault::Damaged("a row brings what was never taken in"))
    }

    fn stepped(&mut self, course: &mut Course<'_>) {
        course.turn.steps = course.turn.steps.saturating_add(1);
        self.ord = self.ord.saturating_add(1);
        self.trouble = None;
        self.behind = None;
        self.passed = false;
    }

    /// Looks for the way on, and takes it; as long as that leads through joins and mounted graphs that are done at once.
    pub(crate) fn go(&mut self, tail: Tail<G>, course: &mut Course<'_>) -> Result<Rest, Fault> {
        let mut tail = tail;
        let mut round = 0;
        loop {
            let go = self.decide(tail, round, course)?;
            round += 1;
            match go {
                Go::Place(at) => {
                    self.cursor = Cursor::At(at);
                    course.open();
                    return Ok(Rest::Going);
                }
                Go::Arrived => {
                    self.cursor = Cursor::Arrived;
                    return Ok(Rest::Arrived);
                }
                Go::Ended(exit) => {
                    if let (Kind::Root, Tail::Place(at, _)) = (self.kind, tail) {
                        course.repeating = names::role::<G>(at) == Role::Cut;
                    }
                    self.cursor = Cursor::Ended(exit);
                    return Ok(Rest::Ended(exit));
                }
                Go::Gone(what) => {
                    self.cursor = Cursor::Gone(what);
                    return Ok(Rest::Going);
                }
                Go::Unrouted(tail, failed) => {
                    self.cursor = Cursor::Unrouted(tail);
                    self.fail(failed, course);
                    return Ok(Rest::Going);
                }
                Go::Mount(at, mut guest) => {
                    let rest = guest.frame_mut().begin(course)?;
                    self.cursor = Cursor::Mounted(at, guest);
                    match rest {
                        Rest::Ended(exit) => match self.leave(exit, course)? {
                            Some(behind) => tail = behind,
                            None => return Ok(Rest::Going),
                        },
                        Rest::Going | Rest::Arrived | Rest::Failing => return Ok(Rest::Going),
                    }
                }
                Go::Fork(number, sprouts) => {
                    if !self.fork(number, sprouts, course)? {
                        return Ok(Rest::Going);
                    }
                    tail = self.join(course)?;
                }
            }
        }
    }

    /// Begins every branch. True if all of them have arrived at once.
    fn fork(&mut self, number: Result<u16, Box<str>>, sprouts: Vec<Sprout<G>>, course: &mut Course<'_>) -> Result<bool, Fault> {
        let all = sprouts.len();
        self.state();
        let base = self.view.share();
        let kind = Kind::Branch(number.as_ref().ok().copied());
        let mut fork = Fork { number, branches: Vec::with_capacity(all), arrived: 0 };
        for (Sprout { key, item, first }, index) in sprouts.into_iter().zip(0_u32..) {
            let path = self.path.inner(self.ord, key);
            let mut frame = Frame::new(View::Shared(base.clone()), kind, path, item);
            frame.behind.clone_from(&self.behind);
            course.here.push(index);
            let rest = frame.go(first, course)?;
            course.here.pop();
            fork.arrived += usize::from(rest == Rest::Arrived);
            fork.branches.push(frame);
        }
        let arrived = fork.arrived == all;
        self.cursor = Cursor::Fork(Box::new(fork));
        Ok(arrived)
    }

    /// Joins the branches in their frozen order.
    pub(in crate::engine) fn join(&mut self, course: &mut Course<'_>) -> Result<Tail<G>, Fault> {
        let Cursor::Fork(fork) = std::mem::replace(&mut self.cursor, Cursor::Closed) else { return Err(Fault::Moved) };
        let Fork { number, branches, .. } = *fork;
        if self.kind == Kind::Root {
            self.view.unshare();
        }
        let merged = self.merge(branches.iter().flat_map(|branch| &branch.log), course)?;
        branches.into_iter().flat_map(|branch| branch.log).chain(merged).for_each(|patch| self.write(patch));
        self.ord = self.ord.saturating_add(1);
        self.behind = None;
        Ok(number.map_or(Tail::Start, Tail::Join))
    }

    /// What fields come to whose merging is the user's code: asked for once, and kept in the row.
    fn merge<'p>(
        &mut self,
        patches: impl Iterator<Item = &'p Patch<G>> + Clone,
        course: &mut Course<'_>,
    ) -> Result<Option<Patch<G>>, Fault> {
        if !G::State::MERGES {
            return Ok(None);
        }
        if course.is_told() {
            if !course.is_next(|next| matches!(next, Move::Merged(_))) {
                return Ok(None);
            }
            let Move::Merged(merged) = course.told()? else { return Err(Fault::Moved) };
            return read::<G>(merged).map(Some);
        }
        let fields = written::<G>(patches.clone());
        let state = self.state();
        if state.merged(fields).is_none() {
            return Ok(None);
        }
        let mut joined = state.clone();
        for patch in patches {
            let patch = joined.remerge(patch.clone());
            joined.apply(patch);
        }
        let Some(merged) = joined.merged(fields) else { return Ok(None) };
        let (raw, merged) = course.settle(merged).map_err(Fault::Codec)?;
        if let Some(raw) = raw {
            course.record(|| Move::Merged(raw));
        }
        Ok(Some(merged))
    }

    /// Joins the branches before their time, as far as they got. Fields whose merging is the user's code stay as they were at
    /// the fork: nobody is asked.
    pub(in crate::engine) fn join_early(&mut self, fork: Fork<G>) {
        let mut logs = Vec::new();
        for mut branch in fork.branches {
            branch.collapse();
            logs.append(&mut branch.log);
        }
        if self.kind == Kind::Root {
            self.view.unshare();
        }
        let kept = if G::State::MERGES { self.state().merged(written::<G>(logs.iter())) } else { None };
        logs.into_iter().chain(kept).for_each(|patch| self.write(patch));
    }

    /// Leaves a mounted graph that has ended. None if it could not be left.
    pub(in crate::engine) fn leave(&mut self, exit: u16, course: &mut Course<'_>) -> Result<Option<Tail<G>>, Fault> {
        let Cursor::Mounted(at, mut guest) = std::mem::replace(&mut self.cursor, Cursor::Closed) else { return Err(Fault::Moved) };
        let name = at.map_or("", names::name::<G>);
        let left = if course.is_told() && !guest.is_whole() {
            match course.told()? {
                Move::Left(updates) => updates.iter().map(|update| read::<G>(update)).collect::<Result<Vec<_>, _>>().map(Ok)?,
                Move::Failed(failed) => Err(failed.clone()),
                Move::Inside(failed) => {
                    self.cursor = Cursor::Mounted(at, guest);
                    self.fail(failed.clone(), course);
                    return Ok(None);
                }
                _ => return Err(Fault::Damaged("it does not tell what a mounted graph came to")),
            }
        } else {
            let left = caught_now(|| guest.leave()).unwrap_or_else(|panic| Err(NodeError::fatal(format!("its `exit` panicked: {panic}"))));
            left.map_err(|error| FailedPlace::new(name, &error, 1))
        };
        self.ord = self.ord.saturating_add(1);
        match left {
            Ok(updates) => {
                (self.behind, self.trouble) = (None, None);
                if guest.is_whole() || course.is_told() {
                    updates.into_iter().for_each(|update| self.write(update));
                } else {
                    self.take_in_all(updates, course)?;
                }
                Ok(Some(at.map_or(Tail::Start, |at| Tail::Place(at, exit))))
            }
            Err(failed) if course.is_told() || at.is_some_and(|at| G::on_error(at).is_some()) => {
                course.record(|| Move::Failed(failed.clone()));
                self.behind = Some(failed.into());
                Ok(Some(at.map_or(Tail::Start, Tail::Error)))
            }
            Err(failed) => {
                course.record(|| Move::Inside(failed.clone()));
                self.ord = self.ord.saturating_sub(1);
                self.cursor = Cursor::Mounted(at, guest);
                self.fail(failed, course);
                Ok(None)
            }
        }
    }

    /// No way on is found, and nobody tells of it.
    pub(crate) fn lose(&mut self, tail: Tail<G>, why: &str) {
        self.cursor = Cursor::Unrouted(tail);
        let failed = FailedPlace::new(tail.place(), &NodeError::fatal(why), 1);
        self.trouble = Some(Box::new(Trouble { failed, due: None }));
    }

    /// It goes on only when somebody lets the thread proceed.
    fn fail(&mut self, failed: FailedPlace, course: &mut Course<'_>) {
        course.unrouted = Some(failed.clone());
        self.trouble = Some(Box::new(Trouble { failed, due: None }));
    }

    /// What a mounted graph with a state of its own gives, one after the other.
    fn take_in_all(&mut self, updates: Vec<Patch<G>>, course: &mut Course<'_>) -> Result<(), Fault> {
        let mut raws = Vec::new();
        for update in updates {
            let update = self.ingest(update, course)?;
            let (raw, update) = course.settle(update).map_err(Fault::Codec)?;
            raws.extend(raw);
            self.write(update);
        }
        course.record(|| Move::Left(raws));
        Ok(())
    }

    /// What failed at a place, or in the graph that is mounted there, goes on by the way `on error`, or is somebody else's.
    pub(crate) fn take_failure(&mut self, tail: Tail<G>, course: &mut Course<'_>) -> Result<Rest, Fault> {
        let own = if course.is_told() {
            !course.is_next(|next| matches!(next, Move::Up))
        } else {
            matches!(tail, Tail::Error(at) if G::on_error(at).is_some())
        };
        if !own {
            if course.is_told() {
                course.told()?;
            }
            course.record(|| Move::Up);
            return Ok(Rest::Failing);
        }
        if matches!(self.cursor, Cursor::Mounted(..)) {
            self.give_up(course);
            self.ord = self.ord.saturating_add(1);
        }
        self.behind = course.failing.take().map(Into::into);
        self.go(tail, course)
    }

    /// Gives up what is open, and keeps what was committed.
    fn give_up(&mut self, course: &mut Course<'_>) {
        course.closed.push(course.here.clone());
        let shut = &mut course.shut;
        self.walk(&mut Trail::default(), &mut |_, leaf| {
            if let Stands::Parked { question, .. } = leaf.stands {
                shut.push((question.id, question.generation));
            }
        });
        self.collapse();
    }
}

fn written<'p, G: Graph>(patches: impl Iterator<Item = &'p Patch<G>>) -> FieldSet {
    patches.fold(FieldSet::EMPTY, |fields, patch| fields.union(G::State::written(patch)))
}
