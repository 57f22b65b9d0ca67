//! A thread told again, row by row, and each of its ways decided anew by the routers of this build: no node is called.

use serde_json::Value;

use crate::clock::{RandomIds, Timestamp};
use crate::engine::change::course::{By, Change, Course, Fault, Update, WayTaken};
use crate::engine::log::fold;
use crate::engine::log::names;
use crate::engine::log::row::{self, Body, Move};
use crate::engine::log::tale::{goal, graphs};
use crate::engine::run::drive::caught_now;
use crate::engine::thread::frame::Tail;
use crate::engine::thread::guest::Activation as _;
use crate::engine::thread::image::Image;
use crate::engine::thread::looks::Looks;
use crate::graph::Graph;
use crate::id::{RunId, TurnId};
use crate::store::{NewRow, Row, RowKind, Seq};
use crate::topology::{Origin, WayKind};
use crate::turn::Now;

/// More arms than any place has.
const ARMS: u16 = 64;
/// Hexadecimal digits in a row that are an id, and not a number.
const ID_DIGITS: usize = 16;

/// The first row that this build would not have written.
#[derive(Debug)]
pub(crate) struct Differs {
    pub(crate) seq: Seq,
    pub(crate) path: String,
    pub(crate) place: String,
    pub(crate) how: How,
}

/// In what it differs.
#[derive(Debug)]
pub(crate) enum How {
    /// Another way is taken.
    Way { recorded: String, now: String },
    /// The way is the same, and what comes of it is not: what a fork works on, what a mounted graph gives.
    Content { at: String, recorded: Box<Value>, now: Box<Value> },
    /// It cannot be told.
    Untold(String),
}

/// What the routers decided about a row.
struct Anew {
    moves: Vec<Move>,
    ways: Vec<WayTaken>,
}

/// Tells `rows` from the first, and hands the ways on that are taken.
pub(crate) fn replay<G: Graph>(rows: &[Row], mut taken: impl FnMut(WayTaken)) -> Result<(), Differs> {
    let mut image = begun::<G>();
    for (index, stored) in rows.iter().enumerate() {
        let Row { seq, row, .. } = stored;
        let differs = |how| Differs { seq: *seq, path: row.path.clone(), place: row.place.clone(), how };
        let body: Body = row::decode(&row.body).map_err(|error| differs(How::Untold(error.to_string())))?;
        if !decides(row.kind, &body) {
            tell(&mut image, *seq, row).map_err(differs)?;
            continue;
        }
        // Where the routers say what the row says, one image is enough. A copy for each row is dear in wide forks.
        let before = chooses::<G>(row).then(|| image.clone());
        if let Ok(Ok(anew)) = caught_now(|| decide(&mut image, row, &body, 0))
            && same(&anew.moves, &body.next)
        {
            fold::passed(&mut image, row, &body);
            anew.ways.into_iter().for_each(&mut taken);
            continue;
        }
        let before = match before {
            Some(before) => before,
            None => rows.iter().take(index).try_fold(begun::<G>(), |image, row| told(image, row).map_err(differs))?,
        };
        image = told(before.clone(), stored).map_err(differs)?;
        anew(&before, &image, row, &body).map_err(differs)?.into_iter().for_each(&mut taken);
    }
    Ok(())
}

/// A thread before its first row.
fn begun<G: Graph>() -> Image<G> {
    Image::new(TurnId::default(), RunId::default(), Now::Stored(Timestamp::default()))
}

fn told<G: Graph>(mut image: Image<G>, row: &Row) -> Result<Image<G>, How> {
    tell(&mut image, row.seq, &row.row)?;
    Ok(image)
}

/// As the row tells it.
fn tell<G: Graph>(image: &mut Image<G>, seq: Seq, row: &NewRow) -> Result<(), How> {
    match caught_now(|| fold::advance(image, seq, row).and_then(|()| fold::refuse_gone(image))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(How::Untold(error.to_string())),
        Err(panic) => Err(How::Untold(format!("reading it panicked: {panic}"))),
    }
}

fn same(one: &[Move], other: &[Move]) -> bool {
    matches!((serde_json::to_string(one), serde_json::to_string(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether a row says where something goes on.
fn decides(kind: RowKind, body: &Body) -> bool {
    match kind {
        RowKind::Input | RowKind::Edit | RowKind::Step | RowKind::Answer | RowKind::Expire | RowKind::Failed => true,
        RowKind::Claim => !body.next.is_empty(),
        RowKind::Park | RowKind::Attempt | RowKind::Reissue | RowKind::Stop | RowKind::Close | RowKind::Origin => false,
    }
}

/// Decides again. What the place chose is in no row: so each of its arms is tried until one leads where the row does.
fn anew<G: Graph>(before: &Image<G>, told: &Image<G>, row: &NewRow, body: &Body) -> Result<Vec<WayTaken>, How> {
    let recorded = value(told)?;
    let mut first = None;
    let mut elsewhere: Vec<String> = Vec::new();
    for arm in 0..if chooses::<G>(row) { ARMS } else { 1 } {
        let mut image = before.clone();
        let decided = caught_now(|| decide(&mut image, row, body, arm));
        let anew = match decided {
            Ok(Ok(anew)) => anew,
            Ok(Err(Fault::Moved)) => return Err(How::Untold("nothing stands there in this build".to_owned())),
            Ok(Err(Fault::Codec(error))) => return Err(How::Untold(error.to_string())),
            Ok(Err(Fault::Damaged(what))) => return Err(How::Untold(what.to_owned())),
            Err(panic) => return Err(How::Untold(format!("deciding it panicked: {panic}"))),
        };
        fold::passed(&mut image, row, body);
        let now = value(&image)?;
        let Some(at) = first_difference(&recorded, &now, String::new()) else { return Ok(anew.ways) };
        let way = goals(&anew.moves);
        if way == goals(&body.next) {
            let of = |value: &Value| Box::new(value.pointer(&at).cloned().unwrap_or_default());
            first.get_or_insert(How::Content { recorded: of(&recorded), now: of(&now), at });
        }
        if !elsewhere.contains(&way) {
            elsewhere.push(way);
        }
    }
    Err(first.unwrap_or_else(|| How::Way { recorded: goals(&body.next), now: elsewhere.join(" or ") }))
}

fn decide<G: Graph>(image: &mut Image<G>, row: &NewRow, body: &Body, arm: u16) -> Result<Anew, Fault> {
    image.turn.now = Now::Stored(row.at);
    image.turn.run = row.run.unwrap_or(image.turn.run);
    image.turn.used = image.turn.used.and(body.used);
    let update = body.update.as_deref();
    let change = match row.kind {
        RowKind::Answer => Some(Change::Answer { update: update.ok_or(Fault::Damaged("an answer without an update"))?, arm }),
        RowKind::Expire => Some(Change::Expire),
        RowKind::Failed => Some(Change::Fail(body.failed.clone().ok_or(Fault::Damaged("a failure without an error"))?)),
        RowKind::Claim => Some(Change::Reroute),
        RowKind::Step => Some(Change::Step { update: Update::Stored(update), arm }),
        _ => None,
    };
    let mut tail = Tail::Start;
    if change.is_none() {
        fold::close(image, body.closes.as_deref())?;
        if row.kind == RowKind::Input {
            image.begin_turn(row.turn);
            image.turn.settings = fold::settings::<G>(body.settings.as_deref())?;
        } else {
            tail = Tail::Place(names::find_place::<G>(&row.place).ok_or(Fault::Moved)?, arm);
            image.root.begin_behind();
        }
        fold::write(image, update)?;
    }
    let address = if change.is_some() { fold::find(image, &row.path)? } else { Vec::new() };
    let mut looks = Looks::default();
    let by = By::Routers { ids: &RandomIds, looks: &mut looks, record: Some(Vec::new()) };
    let mut course = Course::new(&mut image.turn, by);
    course.tell(true);
    match change {
        Some(change) => image.root.advance(&address, change, &mut course)?,
        None => image.root.go(tail, &mut course)?,
    };
    let (moves, ways) = (course.moves(), course.ways.take().unwrap_or_default());
    Ok(Anew { moves, ways })
}

/// Whether the place chose its way.
fn chooses<G: Graph>(row: &NewRow) -> bool {
    let known = graphs(G::TOPOLOGY, &row.path).into_iter().find_map(|topology| Some((topology, topology.place_index(&row.place)?)));
    known.is_some_and(|(topology, place)| {
        let ways = topology.ways_out_of(Origin::Place(u16::try_from(place).unwrap_or(u16::MAX)));
        ways.into_iter().any(|(_, way)| matches!(way.kind, WayKind::Arm { router: None, .. }))
    })
}

fn goals(moves: &[Move]) -> String {
    moves.iter().filter_map(goal).collect::<Vec<_>>().join(" -> ")
}

fn value<G: Graph>(image: &Image<G>) -> Result<Value, How> {
    let stored = image.snapshot().and_then(|snapshot| row::decode(&snapshot));
    stored.map_err(|error| How::Untold(error.to_string()))
}

/// Where two values are not the same, as a JSON pointer. Ids that were made afresh are never the same, and no difference.
fn first_difference(one: &Value, other: &Value, at: String) -> Option<String> {
    match (one, other) {
        (Value::Object(ones), Value::Object(others)) => {
            let keys = ones.keys().chain(others.keys().filter(|key| !ones.contains_key(*key)));
            keys.filter_map(|key| {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match (ones.get(key), others.get(key)) {
                    (Some(one), Some(other)) => first_difference(one, other, at),
                    _ => Some(at),
                }
            })
            .next()
        }
        (Value::Array(ones), Value::Array(others)) if ones.len() == others.len() => {
            let pairs = ones.iter().zip(others).enumerate();
            pairs.filter_map(|(index, (one, other))| first_difference(one, other, format!("{at}/{index}"))).next()
        }
        (Value::String(one), Value::String(other)) if without_ids(one) == without_ids(other) => None,
        _ => (one != other).then_some(at),
    }
}

/// A text with a mark for each id in it.
fn without_ids(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut digits = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_hexdigit() {
            digits.push(c);
            continue;
        }
        kept.push_str(if digits.len() < ID_DIGITS { &digits } else { "\0id" });
        digits.clear();
        kept.push(c);
    }
    kept
}
