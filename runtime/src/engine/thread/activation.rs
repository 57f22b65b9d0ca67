//! A frame, asked without its type: the way down to the one that is meant, and back up with what that moved.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::context::Context;
use crate::engine::change::course::{Change, Course, Fault, Rest};
use crate::engine::log::names;
use crate::engine::log::row::{self, CodecError};
use crate::engine::run::breaks::Breaks;
use crate::engine::run::results::through;
use crate::engine::run::watch::Beat;
use crate::engine::thread::frame::{Cursor, Frame, Tail};
use crate::engine::thread::guest::{Activation, Asked, Boxed, Launch, Leaf, Manner, Spot, Stands, Trail, Unanswered};
use crate::engine::thread::stored::StoredFrame;
use crate::error::NodeError;
use crate::graph::{Graph, Patch};
use crate::node::Refused;
use crate::path::{self, Key};
use crate::state::{Ingest, State};
use crate::token::Token;
use crate::turn::Turn;

impl<G: Graph> Activation<G::Deps> for Frame<G> {
    fn leaf(&mut self, address: &[u32]) -> Option<&mut dyn Activation<G::Deps>> {
        if !matches!(self.cursor, Cursor::Fork(_) | Cursor::Mounted(..)) {
            return address.is_empty().then_some(self as &mut dyn Activation<G::Deps>);
        }
        match &mut self.cursor {
            Cursor::Fork(fork) => {
                let (first, rest) = address.split_first()?;
                fork.branches.get_mut(*first as usize)?.leaf(rest)
            }
            Cursor::Mounted(_, guest) => guest.frame_mut().leaf(address),
            _ => None,
        }
    }

    fn find(&self, path: &str, here: &mut Vec<u32>) -> bool {
        let Some((ord, key, rest)) = path::split(path) else { return path.is_empty() };
        if ord != self.ord {
            return false;
        }
        match &self.cursor {
            Cursor::Fork(fork) => {
                let index = match &key {
                    Key::Item(index) => Some(*index as usize),
                    Key::Name(_) => fork.branches.iter().position(|branch| branch.path.key() == Some(&key)),
                };
                let Some(index) = index else { return false };
                let (Some(branch), Ok(number)) = (fork.branches.get(index), u32::try_from(index)) else { return false };
                here.push(number);
                branch.path.key() == Some(&key) && branch.find(rest, here)
            }
            Cursor::Mounted(_, guest) => guest.frame().spot().path.key() == Some(&key) && guest.frame().find(rest, here),
            _ => false,
        }
    }

    fn walk(&self, trail: &mut Trail, visit: &mut dyn FnMut(&Trail, &Leaf<'_>)) {
        let stands = match &self.cursor {
            Cursor::Fork(fork) => {
                if let Err(gone) = &fork.number {
                    let stands = Stands::Gone(gone);
                    return visit(trail, &Leaf { path: &self.path, ord: self.ord, place: "", stands });
                }
                for (branch, index) in fork.branches.iter().zip(0_u32..) {
                    trail.here.push(index);
                    branch.walk(trail, visit);
                    trail.here.pop();
                }
                return;
            }
            // What could not be left is this frame's.
            Cursor::Mounted(at, guest) if self.trouble.is_none() => {
                trail.within.push(at.map_or("", names::name::<G>));
                guest.frame().walk(trail, visit);
                trail.within.pop();
                return;
            }
            Cursor::At(_) if self.can_run() => Stands::Runs,
            Cursor::At(_) => self.stuck(false),
            Cursor::Unrouted(_) | Cursor::Mounted(..) => self.stuck(true),
            Cursor::Parked(parked) => Stands::Parked { question: &parked.question, opened_at: parked.opened_at },
            Cursor::Arrived | Cursor::Ended(_) | Cursor::Closed => Stands::Done,
            Cursor::Gone(what) => Stands::Gone(what),
        };
        visit(trail, &Leaf { path: &self.path, ord: self.ord, place: self.place(), stands });
    }

    fn lanes(&self, address: &[u32], depth: usize, visit: &mut dyn FnMut(usize, u32)) {
        match &self.cursor {
            Cursor::Fork(fork) => {
                let Some((first, rest)) = address.split_first() else { return };
                let at_once = fork.number.as_ref().map_or(0, |number| G::at_once(*number));
                if at_once > 0 {
                    visit(depth, at_once);
                }
                if let Some(branch) = fork.branches.get(*first as usize) {
                    branch.lanes(rest, depth + 1, visit);
                }
            }
            Cursor::Mounted(_, guest) => guest.frame().lanes(address, depth, visit),
            _ => {}
        }
    }

    fn takes_failure(&self, address: &[u32]) -> bool {
        match &self.cursor {
            Cursor::Fork(fork) => match address.split_first() {
                Some((first, rest)) => fork.branches.get(*first as usize).is_some_and(|branch| branch.takes_failure(rest)),
                None => false,
            },
            Cursor::Mounted(at, guest) => guest.frame().takes_failure(address) || at.is_some_and(|at| G::on_error(at).is_some()),
            Cursor::At(at) => G::on_error(*at).is_some(),
            _ => false,
        }
    }

    fn advance(&mut self, address: &[u32], change: Change<'_>, course: &mut Course<'_>) -> Result<Rest, Fault> {
        match &mut self.cursor {
            Cursor::Fork(fork) => {
                let (first, rest) = address.split_first().ok_or(Fault::Moved)?;
                let branch = fork.branches.get_mut(*first as usize).ok_or(Fault::Moved)?;
                course.here.push(*first);
                let came = branch.advance(rest, change, course)?;
                course.here.pop();
                fork.arrived += usize::from(came == Rest::Arrived);
                match came {
                    Rest::Failing => Ok(Rest::Failing),
                    Rest::Arrived if fork.arrived == fork.branches.len() => {
                        let tail = self.join(course)?;
                        self.go(tail, course)
                    }
                    Rest::Going | Rest::Arrived | Rest::Ended(_) => Ok(Rest::Going),
                }
            }
            Cursor::Mounted(at, guest) => {
                let on_error = at.map_or(Tail::Start, Tail::Error);
                match guest.frame_mut().advance(address, change, course)? {
                    Rest::Ended(exit) => match self.leave(exit, course)? {
                        Some(tail) => self.go(tail, course),
                        None => Ok(Rest::Going),
                    },
                    Rest::Failing => self.take_failure(on_error, course),
                    Rest::Going | Rest::Arrived => Ok(Rest::Going),
                }
            }
            _ if address.is_empty() => self.change(change, course),
            _ => Err(Fault::Moved),
        }
    }

    fn begin(&mut self, course: &mut Course<'_>) -> Result<Rest, Fault> {
        self.go(Tail::Start, course)
    }

    fn collapse(&mut self) {
        match std::mem::replace(&mut self.cursor, Cursor::Closed) {
            Cursor::Fork(fork) => self.join_early(*fork),
            Cursor::Mounted(_, mut guest) => {
                guest.frame_mut().collapse();
                // One with a state of its own never came to its end: what it did stays inside.
                if guest.is_whole() {
                    guest.leave().unwrap_or_default().into_iter().for_each(|patch| self.write(patch));
                }
            }
            _ => {}
        }
    }

    fn forgive(&mut self) {
        match &mut self.cursor {
            Cursor::At(_) => self.trouble = None,
            Cursor::Fork(fork) => fork.branches.iter_mut().for_each(|branch| branch.forgive()),
            Cursor::Mounted(_, guest) => guest.frame_mut().forgive(),
            _ => {}
        }
    }

    fn pass(&mut self) {
        match &mut self.cursor {
            Cursor::At(_) => self.passed = true,
            Cursor::Fork(fork) => fork.branches.iter_mut().for_each(|branch| branch.pass()),
            Cursor::Mounted(_, guest) => guest.frame_mut().pass(),
            _ => {}
        }
    }

    fn breaks(&self, breaks: &Breaks) -> (bool, bool) {
        match self.cursor {
            Cursor::At(at) => (!self.passed && breaks.before::<G>(at), breaks.after::<G>(at)),
            _ => (false, false),
        }
    }

    fn store(&self) -> Result<StoredFrame, CodecError> {
        self.stored()
    }

    fn spot(&self) -> Spot {
        Spot { path: self.path.clone(), ord: self.ord, place: self.place() }
    }

    fn can_run(&self) -> bool {
        Self::can_run(self)
    }

    fn due(&self) -> Option<Timestamp> {
        self.trouble.as_ref().and_then(|trouble| trouble.due)
    }

    fn launch(&mut self, turn: &Turn, cx: &mut Context<G::Deps>) -> Option<Launch> {
        let Cursor::At(at) = self.cursor else { return None };
        let attempts = self.trouble.as_ref().map_or(0, |trouble| trouble.failed.attempts());
        let policy = G::policy(at);
        let beat = policy.timeout.map(|_| Arc::new(Beat::default()));
        let step = cx.step_mut();
        (step.place, step.was) = (names::name::<G>(at), policy.was);
        step.path.clone_from(&self.path);
        step.ord = self.ord;
        step.attempt = attempts.saturating_add(1);
        step.beat.clone_from(&beat);
        step.behind.clone_from(&self.behind);
        self.state();
        let (state, item) = (self.view.share(), self.item.clone());
        let body = match policy.cache {
            None => G::run_boxed(at, state, item, cx.clone()),
            Some(keep) => {
                let (cx, turn) = (cx.clone(), turn.clone());
                Box::pin(
                    async move { through::<G>(at, (&state, &item, &turn), &cx, keep, G::run_place(at, &state, &item, &cx)).await.into() },
                )
            }
        };
        Some(Launch { body, policy, attempts, beat })
    }

    fn take_in(&mut self, update: Box<dyn Any + Send>, ingest: &mut Ingest<'_>) -> Result<Box<RawValue>, CodecError> {
        let patch = update.downcast::<Patch<G>>().map_err(|_| CodecError::Lossy("it is an update of another graph".to_owned()))?;
        let patch = if G::State::INGESTS { self.state().ingest(*patch, ingest) } else { *patch };
        row::raw(&patch)
    }

    fn manner(&self) -> Option<Manner> {
        let at = match &self.cursor {
            Cursor::At(at) => *at,
            Cursor::Parked(parked) => parked.at,
            _ => return None,
        };
        let notifies = G::TOPOLOGY.places.get(G::index(at)).is_some_and(|place| place.notifies);
        Some(Manner { policy: G::policy(at), expiry_way: G::on_expiry(at).is_some(), notifies })
    }

    fn parked(&mut self) -> Option<Asked<'_>> {
        let Cursor::Parked(parked) = &mut self.cursor else { return None };
        let node = names::node_name::<G>(parked.at);
        let parked = &mut **parked;
        Some(Asked { question: &mut parked.question, opened_at: &mut parked.opened_at, node })
    }

    fn answer(&mut self, answer: &Value, ingest: &mut Ingest<'_>) -> Result<(Box<RawValue>, u16), Unanswered> {
        self.state();
        let Cursor::Parked(parked) = &self.cursor else { return Err(Unanswered::Refused(Refused::NotAnInterrupt)) };
        let state = self.view.get();
        let (patch, arm) = G::resume(parked.at, state, &self.item, &parked.question.asked, answer).map_err(Unanswered::Refused)?;
        let patch = state.ingest(patch, ingest);
        Ok((row::raw(&patch).map_err(Unanswered::Codec)?, arm))
    }

    fn notify<'a>(&'a mut self, asked: &'a Value, token: &'a Token, cx: &'a Context<G::Deps>) -> Option<Boxed<'a, Result<(), NodeError>>> {
        self.state();
        let Cursor::Parked(parked) = &self.cursor else { return None };
        Some(G::notify(parked.at, self.view.get(), &self.item, asked, token, cx))
    }
}

impl<G: Graph> Frame<G> {
    fn stuck(&self, unrouted: bool) -> Stands<'_> {
        self.trouble.as_ref().map_or(Stands::Done, |trouble| Stands::Stuck { failed: &trouble.failed, unrouted })
    }
}
