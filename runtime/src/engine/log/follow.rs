//! A thread followed over its graph, row by row, without its state: which ways it took, and where it came to.
//!
//! Rows say where something goes, and not by which way: of two ways from the same to the same it is the first.

use std::iter::Peekable;
use std::slice;

use crate::engine::log::fitting::{By, ways};
use crate::engine::log::frames::{Around, Frame, Known, innermost, keys};
use crate::engine::log::names;
use crate::engine::log::row::{self, Body, Move, StoredFork, StoredFrom};
use crate::path::Key;
use crate::store::{Row, RowKind};
use crate::topology::{Origin, Target, Topology, Way};

/// What happens on a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trace<'a> {
    /// It takes this way.
    Takes(usize),
    /// It comes to this place, which runs or is to be run.
    Comes(&'a str),
    /// This place asks.
    Asks(&'a str),
    /// An attempt of this place failed.
    Fails(&'a str),
    /// It is done with this place.
    Leaves(&'a str),
    /// What failed beside it gave it up, while it asked or not.
    Drops(&'a str, bool),
    /// Whatever it stood at, it stands there no more.
    Closes,
}

/// Hands on what rows tell, each with the mounted graphs in which it is, the outermost first. Rows that cannot be read, or
/// that tell of what the graph has not, tell nothing.
pub(crate) fn follow(topology: &Topology, rows: &[Row], mut see: impl FnMut(&[&str], Trace<'_>)) {
    let mut known = Known::default();
    for row in rows {
        let Ok(body) = row::decode::<Body>(&row.row.body) else { continue };
        let moves = body.next.iter().peekable();
        let mut follower = Follower { see: &mut see, moves, mounts: Vec::new(), frame: Vec::new(), known: &mut known };
        follower.row(topology, row);
    }
}

/// What a frame came to, for the one around it.
enum Rest {
    Going,
    /// At the join of this fork.
    Arrived(Option<u16>),
    Ended,
    Failing,
}

struct Follower<'a> {
    see: &'a mut dyn FnMut(&[&str], Trace<'_>),
    moves: Peekable<slice::Iter<'a, Move>>,
    mounts: Vec<&'static str>,
    /// The frame that moves.
    frame: Frame,
    known: &'a mut Known,
}

impl Follower<'_> {
    fn row(&mut self, root: &Topology, row: &Row) {
        let (kind, place) = (row.row.kind, row.row.place.as_str());
        self.frame = keys(&row.row.path);
        let Some(around) = self.known.around(root, &self.frame, 0, place) else { return };
        self.mounts = around.iter().filter_map(Around::mount).collect();
        let graph = innermost(root, &around);
        match kind {
            RowKind::Input | RowKind::Close | RowKind::Edit => {
                (self.see)(&[], Trace::Closes);
                *self.known = Known::default();
            }
            RowKind::Step | RowKind::Answer | RowKind::Expire => self.leaves(place),
            RowKind::Park => {
                self.see(Trace::Asks(place));
                self.known.stands.insert(self.frame.clone(), (self.mounts.clone(), place.to_owned(), true));
            }
            RowKind::Failed => {
                self.leaves(place);
                self.see(Trace::Fails(place));
            }
            RowKind::Attempt => self.see(Trace::Fails(place)),
            RowKind::Claim | RowKind::Reissue | RowKind::Stop | RowKind::Origin => {}
        }
        let at = |place: &str| graph.place_index(place).and_then(|place| u16::try_from(place).ok()).map(Origin::Place);
        let (from, by) = match kind {
            RowKind::Input => (Some(Origin::Start), By::Choice),
            RowKind::Failed => (at(place), By::Error),
            RowKind::Expire => (at(place), By::Expiry),
            RowKind::Claim if self.moves.peek().is_none() => (None, By::Choice),
            RowKind::Claim => match self.known.unrouted.remove(&self.frame) {
                Some(StoredFrom::Place(place, _)) => (at(&place), By::Choice),
                Some(StoredFrom::Error(place)) => (at(&place), By::Error),
                Some(StoredFrom::Expiry(place)) => (at(&place), By::Expiry),
                Some(StoredFrom::Join(fork)) => (names::fork_named(graph, &fork).map(Origin::Join), By::Choice),
                Some(StoredFrom::Start) => (Some(Origin::Start), By::Choice),
                Some(StoredFrom::Into(_) | StoredFrom::Fork(_)) | None => (None, By::Choice),
            },
            _ => (at(place), By::Choice),
        };
        let rest = if kind == RowKind::Failed && self.moves.next_if(|next| matches!(next, Move::Up)).is_some() {
            Rest::Failing
        } else {
            self.go(graph, from, by)
        };
        self.outwards(root, &around, rest);
    }

    fn see(&mut self, trace: Trace<'_>) {
        (self.see)(&self.mounts, trace);
    }

    fn comes(&mut self, place: &str) {
        self.see(Trace::Comes(place));
        self.known.stands.insert(self.frame.clone(), (self.mounts.clone(), place.to_owned(), false));
        self.known.forks.remove(&self.frame);
    }

    fn leaves(&mut self, place: &str) {
        self.see(Trace::Leaves(place));
        self.known.stands.remove(&self.frame);
    }

    /// Whatever is open in the frame is given up.
    fn give_up(&mut self) {
        let within = |frame: &Frame| frame.len() > self.frame.len() && frame.starts_with(&self.frame);
        let open: Vec<Frame> = self.known.stands.keys().filter(|frame| within(frame)).cloned().collect();
        for frame in open {
            if let Some((mounts, place, asks)) = self.known.stands.remove(&frame) {
                (self.see)(&mounts, Trace::Drops(&place, asks));
            }
        }
        self.known.forks.retain(|frame, _| !within(frame));
        self.known.unrouted.retain(|frame, _| !within(frame));
    }

    /// What a frame came to moves those around it.
    fn outwards(&mut self, root: &Topology, around: &[Around<'_>], mut rest: Rest) {
        for (index, inner) in around.iter().enumerate().rev() {
            let graph = innermost(root, around.get(..index).unwrap_or_default());
            self.frame.truncate(index);
            rest = match (*inner, rest) {
                (Around::Branch, Rest::Arrived(fork)) if self.moves.peek().is_some() => self.join(graph, fork),
                (Around::Branch, Rest::Failing) => Rest::Failing,
                (Around::Mount(at, _), Rest::Ended) => {
                    self.mounts.pop();
                    match self.leave(graph, at) {
                        Some((from, by)) => self.go(graph, from, by),
                        None => Rest::Going,
                    }
                }
                (Around::Mount(at, _), Rest::Failing) => {
                    self.mounts.pop();
                    self.give_up();
                    if self.moves.next_if(|next| matches!(next, Move::Up)).is_some() {
                        Rest::Failing
                    } else {
                        self.leaves(at);
                        self.see(Trace::Fails(at));
                        self.go(graph, place(graph, at), By::Error)
                    }
                }
                _ => return,
            };
        }
    }

    /// As far as the row leads, from here on.
    fn go(&mut self, graph: &Topology, mut from: Option<Origin>, mut by: By) -> Rest {
        loop {
            let mut taken = None;
            while let Some(Move::Taken(key, _)) = self.moves.next_if(|next| matches!(next, Move::Taken(..))) {
                taken = Some(key);
            }
            let Some(next) = self.moves.next() else { return Rest::Going };
            let towards = towards(next);
            let fitting = from.map_or_else(Vec::new, |from| ways(graph, from, by, towards.as_ref().unwrap_or(next), taken).fitting);
            let fork = matches!(next, Move::Arrived).then(|| self.arrives(graph, &fitting)).flatten();
            // A place may stand in branches of several forks, and arrives at the join of the one that it is in.
            let of_fork = fitting.iter().find(|(_, way)| joined(graph, way.to).any(|joined| fork == Some(joined)));
            if let Some((number, _)) = of_fork.or(fitting.first()) {
                self.see(Trace::Takes(*number));
            }
            match next {
                Move::At(at) => {
                    self.comes(at);
                    return Rest::Going;
                }
                Move::Mount(at, _) => {
                    self.comes(at);
                    let Some(mounted) = graph.place(at).and_then(|place| Some((place.name, place.graph?))) else { return Rest::Going };
                    let (at, inner) = mounted;
                    self.mounts.push(at);
                    self.frame.push(at.to_owned());
                    let rest = self.go(inner, Some(Origin::Start), By::Choice);
                    self.frame.pop();
                    self.mounts.pop();
                    let Rest::Ended = rest else { return Rest::Going };
                    match self.leave(graph, at) {
                        Some(on) => (from, by) = on,
                        None => return Rest::Going,
                    }
                }
                Move::Fork(fork) => {
                    let number = names::fork_named(graph, &fork.fork);
                    self.known.stands.remove(&self.frame);
                    if let Some(number) = number {
                        self.known.forks.insert(self.frame.clone(), number);
                    }
                    let items = (0..).zip(&fork.items).map(|(index, _)| Key::Item(index).to_string());
                    let mut arrived = true;
                    for key in fork.keys.iter().cloned().chain(items) {
                        self.frame.push(key);
                        arrived &= matches!(self.go(graph, number.map(Origin::Fork), By::Choice), Rest::Arrived(_));
                        self.frame.pop();
                    }
                    if !arrived {
                        return Rest::Going;
                    }
                    self.meet();
                    (from, by) = (number.map(Origin::Join), By::Choice);
                }
                Move::Arrived => return Rest::Arrived(fork),
                Move::Ended(_) => return Rest::Ended,
                Move::Unrouted(from, _) => {
                    self.known.unrouted.insert(self.frame.clone(), from.clone());
                    return Rest::Going;
                }
                Move::Taken(..) | Move::Left(_) | Move::Merged(_) | Move::Up | Move::Inside(_) | Move::Failed(_) => return Rest::Going,
            }
        }
    }

    /// On behind the branches of a fork.
    fn join(&mut self, graph: &Topology, fork: Option<u16>) -> Rest {
        self.meet();
        self.go(graph, fork.map(Origin::Join), By::Choice)
    }

    /// All branches of the frame have arrived.
    fn meet(&mut self) {
        self.moves.next_if(|next| matches!(next, Move::Merged(_)));
        self.known.forks.remove(&self.frame);
    }

    /// The fork at whose join the frame arrives; by the ways that may have led there, if its beginning was not told.
    fn arrives(&self, graph: &Topology, fitting: &[(usize, &Way)]) -> Option<u16> {
        let around = self.frame.split_last().map(|(_, around)| around);
        let known = around.and_then(|around| self.known.forks.get(around).copied());
        known.or_else(|| fitting.iter().find_map(|(_, way)| joined(graph, way.to).next()))
    }

    /// Out of a mounted graph: from where it goes on. None if it could not be left.
    fn leave(&mut self, graph: &Topology, at: &str) -> Option<(Option<Origin>, By)> {
        // A graph over the same state is left without a word.
        let told = |next: &&Move| matches!(next, Move::Left(_) | Move::Failed(_) | Move::Inside(_));
        let left = self.moves.next_if(told);
        if matches!(left, Some(Move::Inside(_))) {
            self.see(Trace::Fails(at));
            return None;
        }
        self.leaves(at);
        let failed = matches!(left, Some(Move::Failed(_)));
        if failed {
            self.see(Trace::Fails(at));
        }
        Some((place(graph, at), if failed { By::Error } else { By::Choice }))
    }
}

/// The forks whose branches arrive at their join by a way that leads there.
fn joined(graph: &Topology, to: Target) -> impl Iterator<Item = u16> {
    let forks =
        (0..).zip(graph.forks).filter(move |(number, fork)| to == Target::Join(*number) || fork.join.map(Target::Place) == Some(to));
    forks.map(|(number, _)| number)
}

/// What could not be entered, though a way was taken that leads there.
fn towards(next: &Move) -> Option<Move> {
    match next {
        Move::Unrouted(StoredFrom::Fork(fork), _) => {
            Some(Move::Fork(StoredFork { fork: fork.clone(), keys: Vec::new(), items: Vec::new() }))
        }
        Move::Unrouted(StoredFrom::Into(at), _) => Some(Move::Mount(at.clone(), None)),
        _ => None,
    }
}

fn place(graph: &Topology, name: &str) -> Option<Origin> {
    graph.place_index(name).and_then(|place| u16::try_from(place).ok()).map(Origin::Place)
}
