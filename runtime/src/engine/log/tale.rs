//! What a row tells people: places and ways, never what is in the state.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use crate::engine::log::fitting::{By, Ways, ways};
use crate::engine::log::row::{self, Body, Move, StopWhy, StoredFrom};
use crate::id::is_bidi_or_invisible;
use crate::path::{self, Key};
use crate::store::{Row, RowKind};
use crate::topology::{Origin, Topology, Way, WayKind};

/// A row, read for people.
#[derive(Debug, Default)]
pub(crate) struct Tale {
    /// Fields that it wrote.
    pub(crate) wrote: Vec<String>,
    /// Where its frame went, and those around it.
    pub(crate) then: Vec<String>,
    /// What else it says.
    pub(crate) note: String,
}

/// Why a row's frame went where it went.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) to: String,
    /// Each reason, in the order in which they were looked at.
    pub(crate) because: Vec<String>,
}

impl Tale {
    /// Of a row as it is stored. What cannot be read is said to be so.
    pub(crate) fn of(row: &Row) -> Self {
        let body: Body = match row::decode(&row.row.body) {
            Ok(body) => body,
            Err(error) => return Self { note: format!("it cannot be read: {error}"), ..Self::default() },
        };
        let fields = |raw: &serde_json::value::RawValue| serde_json::from_str::<BTreeMap<String, IgnoredAny>>(raw.get());
        let wrote = body.update.as_deref().map(fields).and_then(Result::ok).map(|fields| fields.into_keys().collect());
        Self { wrote: wrote.unwrap_or_default(), then: body.next.iter().filter_map(goal).collect(), note: note(row.row.kind, &body) }
    }
}

pub(in crate::engine) fn goal(next: &Move) -> Option<String> {
    Some(match next {
        Move::At(place) | Move::Mount(place, _) => place.clone(),
        Move::Fork(fork) => {
            let branches = fork.keys.len() + fork.items.len();
            let title = fork.fork.split_once("->").map_or(fork.fork.as_str(), |(_, title)| title);
            format!("{title} ({branches})")
        }
        Move::Arrived => "join".to_owned(),
        Move::Ended(exit) => exit.clone(),
        Move::Unrouted(..) => "no way".to_owned(),
        Move::Taken(..) | Move::Left(_) | Move::Merged(_) | Move::Up | Move::Inside(_) | Move::Failed(_) => return None,
    })
}

fn note(kind: RowKind, body: &Body) -> String {
    let mut notes = Vec::new();
    if let Some((thread, seq)) = &body.origin {
        notes.push(format!("from `{thread}`, row {seq}"));
    }
    if let Some(question) = &body.question {
        notes.push(format!("question {}", question.id));
    }
    if let Some(failed) = &body.failed {
        let again = if kind == RowKind::Attempt && body.due.is_some() { ", to be tried again" } else { "" };
        notes.push(format!("attempt {} failed{again}: {}", failed.attempts(), line(failed.error())));
    }
    let unrouted = body.next.iter().filter_map(|next| match next {
        Move::Unrouted(_, failed) => Some(line(failed.error())),
        _ => None,
    });
    notes.extend(unrouted);
    if let Some(why) = &body.why {
        notes.push(stopped(why));
    }
    if let Some(label) = &body.label {
        notes.push(format!("`{}`", line(label)));
    }
    if body.after.is_some() {
        notes.push("takes over from a run that ended without a word".to_owned());
    }
    notes.join("; ")
}

/// Why a run ended, in words.
fn stopped(why: &StopWhy) -> String {
    match why {
        StopWhy::StepLimit => "step limit".to_owned(),
        StopWhy::BudgetSpent => "budget spent".to_owned(),
        StopWhy::TimedOut => "timed out".to_owned(),
        StopWhy::Cancelled => "cancelled".to_owned(),
        StopWhy::Abandoned => "abandoned".to_owned(),
        StopWhy::CrashLoop => "crash loop".to_owned(),
        StopWhy::Repeating => "repeating".to_owned(),
        StopWhy::Drained => "drained".to_owned(),
        StopWhy::StoreFailed => "the store failed".to_owned(),
        StopWhy::Breakpoint { place, after: false } => format!("breakpoint before `{place}`"),
        StopWhy::Breakpoint { place, after: true } => format!("breakpoint after `{place}`"),
        StopWhy::Failed { place, error } => format!("`{place}` failed: {}", line(error)),
        StopWhy::Unrouted { place, error } => format!("no way behind `{place}`: {}", line(error)),
    }
}

/// The first line of a text, and not all of a long one. Nothing in it that a terminal would obey.
pub(crate) fn line(text: &str) -> String {
    const LONG: usize = 80;
    let first = text.lines().next().unwrap_or_default();
    let more = first.chars().count() > LONG || first.len() < text.trim_end().len();
    let shown = |c: char| if c.is_control() || is_bidi_or_invisible(c) { char::REPLACEMENT_CHARACTER } else { c };
    first.chars().take(LONG).map(shown).chain(more.then_some('…')).collect()
}

impl Decision {
    /// Why the frame of a row went where it went, as far as the row and the graph tell. None if it went nowhere.
    pub(crate) fn of(row: &Row, root: &'static Topology) -> Option<Self> {
        let body: Body = row::decode(&row.row.body).ok()?;
        let (taken, first) = match body.next.split_first()? {
            (Move::Taken(key, count), rest) => (Some((key, *count)), rest.first()?),
            (first, _) => (None, first),
        };
        let to = goal(first)?;
        let because = match (row.row.kind, first) {
            (_, Move::Unrouted(from, failed)) => vec![format!("no way was found behind {}: {}", behind(from), line(failed.error()))],
            (kind, _) => graphs(root, &row.row.path)
                .into_iter()
                .find_map(|topology| reasons(topology, kind, &row.row.place, first, taken))
                .unwrap_or_default(),
        };
        Some(Self { to, because })
    }
}

fn behind(from: &StoredFrom) -> String {
    format!("`{}`", from.what())
}

/// The graphs in which a frame of this path may be, the innermost first: a segment names a branch or a mounted graph.
pub(in crate::engine) fn graphs(root: &'static Topology, mut rest: &str) -> Vec<&'static Topology> {
    let mut found = vec![root];
    while let Some((_, key, behind)) = path::split(rest) {
        let mounted = |topology: &&'static Topology| match &key {
            Key::Name(name) => topology.place(name).and_then(|place| place.graph),
            Key::Item(_) => None,
        };
        let inner: Vec<_> = found.iter().filter_map(mounted).collect();
        found.splice(0..0, inner);
        rest = behind;
    }
    found
}

/// The way that fits, and what stood before it. None if the graph has no such way.
fn reasons(topology: &'static Topology, kind: RowKind, place: &str, to: &Move, taken: Option<(&String, u32)>) -> Option<Vec<String>> {
    let origin = match (kind, topology.place_index(place)) {
        (RowKind::Input, _) => Origin::Start,
        (_, Some(place)) => Origin::Place(u16::try_from(place).ok()?),
        (_, None) => return None,
    };
    let by = match kind {
        RowKind::Failed => By::Error,
        RowKind::Expire => By::Expiry,
        _ => By::Choice,
    };
    let Ways { fitting, tried } = ways(topology, origin, by, to, taken.map(|(key, _)| key));
    let (first, others) = fitting.split_first()?;
    let mut because: Vec<String> = tried
        .iter()
        .take_while(|(number, _)| *number != first.0)
        .filter_map(|(_, way)| match way.kind {
            WayKind::If { router, .. } => Some(format!("`{router}` did not hold")),
            _ => None,
        })
        .collect();
    because.push(reason(place, first.1, because.is_empty()));
    // The log does not tell which of these it was.
    because.extend(others.iter().map(|(_, way)| format!("or {}", reason(place, way, false))));
    because.extend(taken.map(|(_, count)| format!("for the {} time of its budget", ordinal(count))));
    Some(because)
}

fn reason(place: &str, way: &Way, alone: bool) -> String {
    match way.kind {
        WayKind::Always if alone => "the way is always open".to_owned(),
        WayKind::Always => "so the way that is always open".to_owned(),
        WayKind::If { router, .. } => format!("`{router}` held"),
        WayKind::Arm { router: Some(router), label } => format!("`{router}` said `{label}`"),
        WayKind::Arm { router: None, label } => format!("`{place}` chose `{label}`"),
        WayKind::Else { at_most, .. } => format!("the way before it had been taken {}", times(at_most)),
        WayKind::Branch { label } => format!("the branch `{label}`"),
        WayKind::Error => format!("`{place}` failed"),
        WayKind::Expiry => format!("the question of `{place}` ran out of time"),
    }
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn ordinal(count: u32) -> String {
    let end = match (count % 10, count % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{count}{end}")
}
