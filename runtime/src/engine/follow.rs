//! A thread followed over its graph, row by row, without its state: which ways it took, and where it came to.
//!
//! Rows say where something goes, and not by which way: of two ways from the same to the same it is the first.

use std::iter::Peekable;
use std::slice;

use crate::engine::fitting::{By, ways};
use crate::engine::names;
use crate::engine::row::{self, Body, Move, StoredFrom};
use crate::path::{self, Key};
use crate::store::{Row, RowKind};
use crate::topology::{Origin, Target, Topology, WayKind};

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
    /// Whatever it stood at, it stands there no more.
    Closes,
}

/// Hands on what rows tell, each with the mounted graphs in which it is, the outermost first. Rows that cannot be read, or
/// that tell of what the graph has not, tell nothing.
pub(crate) fn follow(topology: &Topology, rows: &[Row], mut see: impl FnMut(&[&str], Trace<'_>)) {
    let mut unrouted = None;
    for row in rows {
        let Ok(body) = row::decode::<Body>(&row.row.body) else { continue };
        let mut follower = Follower { see: &mut see, moves: body.next.iter().peekable(), mounts: Vec::new(), unrouted: &mut unrouted };
        follower.row(topology, row);
    }
}

/// What is around a frame, from the outside: a branch of the graph that it is in, or another graph and the place where that
/// is mounted.
#[derive(Clone, Copy)]
enum Around<'t> {
    Branch,
    Mount(&'static str, &'t Topology),
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
    /// From where no way was found when one was last looked for.
    unrouted: &'a mut Option<StoredFrom>,
}

impl Follower<'_> {
    fn row(&mut self, root: &Topology, row: &Row) {
        let (kind, place) = (row.row.kind, row.row.place.as_str());
        let Some(around) = around(root, &row.row.path, place) else { return };
        self.mounts = around.iter().filter_map(Around::mount).collect();
        let graph = innermost(root, &around);
        match kind {
            RowKind::Input | RowKind::Close | RowKind::Edit => {
                let mounts = std::mem::take(&mut self.mounts);
                self.see(Trace::Closes);
                self.mounts = mounts;
            }
            RowKind::Step | RowKind::Answer | RowKind::Expire => self.see(Trace::Leaves(place)),
            RowKind::Park => self.see(Trace::Asks(place)),
            RowKind::Failed => {
                self.see(Trace::Leaves(place));
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
            RowKind::Claim => match self.unrouted.take() {
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

    /// What a frame came to moves those around it.
    fn outwards(&mut self, root: &Topology, around: &[Around<'_>], mut rest: Rest) {
        for (index, inner) in around.iter().enumerate().rev() {
            let graph = innermost(root, around.get(..index).unwrap_or_default());
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
                    if self.moves.next_if(|next| matches!(next, Move::Up)).is_some() {
                        Rest::Failing
                    } else {
                        self.see(Trace::Leaves(at));
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
            let fitting = from.and_then(|from| ways(graph, from, by, next, taken).fitting.into_iter().next());
            if let Some((number, _)) = fitting {
                self.see(Trace::Takes(number));
            }
            match next {
                Move::At(at) => {
                    self.see(Trace::Comes(at));
                    return Rest::Going;
                }
                Move::Mount(at, _) => {
                    self.see(Trace::Comes(at));
                    let Some(mounted) = graph.place(at).and_then(|place| Some((place.name, place.graph?))) else { return Rest::Going };
                    let (at, inner) = mounted;
                    self.mounts.push(at);
                    let rest = self.go(inner, Some(Origin::Start), By::Choice);
                    self.mounts.pop();
                    let Rest::Ended = rest else { return Rest::Going };
                    match self.leave(graph, at) {
                        Some(on) => (from, by) = on,
                        None => return Rest::Going,
                    }
                }
                Move::Fork(fork) => {
                    let number = names::fork_named(graph, &fork.fork);
                    let mut arrived = true;
                    for _ in 0..fork.keys.len() + fork.items.len() {
                        arrived &= matches!(self.go(graph, number.map(Origin::Fork), By::Choice), Rest::Arrived(_));
                    }
                    if !arrived {
                        return Rest::Going;
                    }
                    self.moves.next_if(|next| matches!(next, Move::Merged(_)));
                    (from, by) = (number.map(Origin::Join), By::Choice);
                }
                Move::Arrived => {
                    let fork = fitting.and_then(|(_, way)| match way.to {
                        Target::Join(fork) => Some(fork),
                        to => graph
                            .forks
                            .iter()
                            .position(|fork| fork.join.map(Target::Place) == Some(to))
                            .and_then(|fork| fork.try_into().ok()),
                    });
                    return Rest::Arrived(fork);
                }
                Move::Ended(_) => return Rest::Ended,
                Move::Unrouted(from, _) => {
                    *self.unrouted = Some(from.clone());
                    return Rest::Going;
                }
                Move::Taken(..) | Move::Left(_) | Move::Merged(_) | Move::Up | Move::Inside(_) | Move::Failed(_) => return Rest::Going,
            }
        }
    }

    /// On behind the branches of a fork.
    fn join(&mut self, graph: &Topology, fork: Option<u16>) -> Rest {
        self.moves.next_if(|next| matches!(next, Move::Merged(_)));
        self.go(graph, fork.map(Origin::Join), By::Choice)
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
        self.see(Trace::Leaves(at));
        let failed = matches!(left, Some(Move::Failed(_)));
        if failed {
            self.see(Trace::Fails(at));
        }
        Some((place(graph, at), if failed { By::Error } else { By::Choice }))
    }
}

impl Around<'_> {
    fn mount(&self) -> Option<&'static str> {
        match self {
            Self::Branch => None,
            Self::Mount(at, _) => Some(at),
        }
    }
}

fn innermost<'t>(root: &'t Topology, around: &[Around<'t>]) -> &'t Topology {
    let mounted = around.iter().rev().find_map(|around| match around {
        Around::Branch => None,
        Around::Mount(_, graph) => Some(*graph),
    });
    mounted.unwrap_or(root)
}

fn place(graph: &Topology, name: &str) -> Option<Origin> {
    graph.place_index(name).and_then(|place| u16::try_from(place).ok()).map(Origin::Place)
}

/// What is around the frame of this path, at the end of which is `place`. A branch may be called like a mounted graph with
/// which it begins: so it is looked at where the place is.
fn around<'t>(graph: &'t Topology, path: &str, place: &str) -> Option<Vec<Around<'t>>> {
    let Some((_, key, rest)) = path::split(path) else {
        return (place.is_empty() || graph.place(place).is_some()).then(Vec::new);
    };
    let behind = |first: Around<'t>, graph: &'t Topology| {
        let rest = around(graph, rest, place)?;
        Some(std::iter::once(first).chain(rest).collect())
    };
    let Key::Name(name) = key else { return behind(Around::Branch, graph) };
    let branch = || behind(Around::Branch, graph);
    let mount = || {
        let (at, inner) = graph.place(&name).and_then(|place| Some((place.name, place.graph?)))?;
        behind(Around::Mount(at, inner), inner)
    };
    if is_branch(graph, &name) { branch().or_else(mount) } else { mount().or_else(branch) }
}

fn is_branch(graph: &Topology, name: &str) -> bool {
    // Of two with the same first step the second has a number.
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    graph.ways.iter().any(|way| match way.kind {
        WayKind::Branch { label: "" } => names::target(graph, way.to) == name,
        WayKind::Branch { label } => label == name,
        _ => false,
    })
}
