//! Graphs with all that there is, which go where dice say: three levels of mounts, forks in forks, budgets, failures, questions.

use std::cell::Cell;

use graphwright::prelude::*;
use graphwright::{Set, Turn, graph};

thread_local! {
    /// How many attempts will fail yet, whatever the dice say.
    pub(super) static BUSY: Cell<u32> = const { Cell::new(0) };
}

/// What a thread does next depends on what it has done, and on its seed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub(super) struct Dice {
    seed: u64,
    #[state(append)]
    log: Vec<String>,
}

/// The same, for a graph with a state of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub(super) struct Cup {
    seed: u64,
    #[state(append)]
    log: Vec<String>,
}

pub(super) fn thrown(seed: u64, log: &[String], what: &str, sides: u64) -> u64 {
    let mut hash = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xcbf2_9ce4_8422_2325;
    for byte in log.iter().flat_map(|line| line.bytes()).chain(what.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash >> 29) % sides
}

impl Dice {
    fn throw(&self, what: &str, sides: u64) -> u64 {
        thrown(self.seed, &self.log, what, sides)
    }

    /// As it is decided in a run: in some of them a router panics, and does so again when it is told.
    fn throw_in(&self, turn: &Turn, what: &str, sides: u64) -> u64 {
        if self.throw(&format!("{what} {}", turn.run()), 25) == 0 {
            std::panic::resume_unwind(Box::new("told to panic"));
        }
        self.throw(what, sides)
    }
}

pub(super) fn worked(seed: u64, log: &[String], place: &str, item: u64) -> Result<String, NodeError> {
    if BUSY.get() > 0 {
        BUSY.set(BUSY.get() - 1);
        return Err(NodeError::transient("busy"));
    }
    match thrown(seed, log, place, 9) {
        0 => Err(NodeError::fatal("the dice say so")),
        _ => Ok(format!("{place}{item}")),
    }
}

macro_rules! nodes {
    ($($name:ident)*) => {
        $(#[node(writes(log))]
        async fn $name(dice: &Dice, cx: &Context<()>) -> NodeResult<$name> {
            Ok(Dice::update().log([worked(dice.seed, &dice.log, cx.place(), 0)?]))
        })*
    };
}
nodes!(may_fail);

/// Never fails.
#[node(writes(log))]
pub(super) fn does(_: &Dice, cx: &Context<()>) -> NodeResult<does> {
    Ok(Dice::update().log([cx.place()]))
}

#[node(writes(log))]
pub(super) async fn item_may_fail(dice: &Dice, item: &u64, cx: &Context<()>) -> NodeResult<item_may_fail> {
    Ok(Dice::update().log([worked(dice.seed, &dice.log, cx.place(), *item)?]))
}

#[node(writes(log))]
pub(super) fn sip(_: &Cup, cx: &Context<()>) -> NodeResult<sip> {
    Ok(Cup::update().log([cx.place()]))
}

#[node(writes(log))]
pub(super) async fn spill(cup: &Cup, cx: &Context<()>) -> NodeResult<spill> {
    Ok(Cup::update().log([worked(cup.seed, &cup.log, cx.place(), 0)?]))
}

#[derive(Route)]
pub(super) enum Side {
    Heads,
    Tails,
    Edge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Route)]
pub(super) enum Which {
    A,
    B,
    C,
}

#[router]
pub(super) fn side(dice: &Dice, turn: &Turn) -> Side {
    tossed(dice.throw_in(turn, "side", 3))
}

pub(super) fn tossed(thrown: u64) -> Side {
    match thrown {
        0 => Side::Heads,
        1 => Side::Tails,
        _ => Side::Edge,
    }
}

#[router]
pub(super) fn rest(item: &u64) -> Side {
    tossed(item % 3)
}

#[router]
pub(super) fn odd(dice: &Dice, turn: &Turn) -> bool {
    dice.throw_in(turn, "odd", 2) == 1
}

#[router]
pub(super) fn full(cup: &Cup) -> bool {
    thrown(cup.seed, &cup.log, "full", 2) == 1
}

#[router]
pub(super) fn which(dice: &Dice, turn: &Turn) -> Set<Which> {
    let thrown = dice.throw_in(turn, "which", 8);
    [Which::A, Which::B, Which::C].into_iter().enumerate().filter(|(bit, _)| thrown >> bit & 1 == 1).map(|(_, which)| which).collect()
}

#[router]
pub(super) fn items(dice: &Dice, turn: &Turn) -> Vec<u64> {
    (0..dice.throw_in(turn, "items", 4)).collect()
}

/// Chooses its way itself.
#[node(writes(log))]
pub(super) async fn picks(dice: &Dice) -> Result<(Update<Dice, picks>, Side), NodeError> {
    Ok((Dice::update().log(["picks"]), tossed(dice.throw("picks", 3))))
}

pub(super) struct Sign;

#[node(writes(log))]
impl Interrupt<Dice, ()> for Sign {
    type Question = String;
    type Answer = u32;

    async fn ask(dice: &Dice, cx: &Context<()>) -> Result<Ask<Self>, NodeError> {
        let ask = Ask::question(cx.place().to_owned());
        Ok(if thrown(dice.seed, &dice.log, cx.place(), 4) == 0 { ask.answered(Answer::Declined) } else { ask })
    }

    fn resume(_: &Dice, place: &String, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Dice::update().log([format!("{place}: {answer:?}")]))
    }
}

graph! {
    pub(super) Bottom(Dice) {
        start -> dig;
        dig -> mend on error;
        mend -> end mended;
        dig -> match side {
            Heads => end,
            Tails => dig at_most 2 else end tired,
            Edge => sign,
        };
        sign -> match { Accepted => dig_on, Declined | Cancelled => end tired };
        sign -> mend on expiry;
        dig_on -> end;

        dig: may_fail;
        mend: does;
        dig_on: may_fail;
        sign: Sign, expires(1h);
    }
}

graph! {
    pub(super) Cups(Cup) {
        start -> sip -> [spill, sip_on] -> match full { true => end, false => end empty };
        sip_on: sip;
    }
}

pub(super) fn pour(dice: &Dice, _: &u64) -> Update<Cup> {
    Cup::update().seed(dice.seed).log(dice.log.clone())
}

pub(super) fn taste(cup: &Cup) -> Update<Dice> {
    Dice::update().log([format!("tasted {}", cup.log.len())])
}

graph! {
    // Forks in forks, a place that stands in branches of two forks and outside, and forks that meet at the same place.
    pub(super) Middle(Dice) {
        start -> open;
        open -> match side {
            Heads => [shared, low, [deep -> shared_too, other]] -> met,
            Tails => [shared, other_low] -> met,
            Edge => shared,
        };
        shared -> met if odd;
        shared -> met;
        low -> match { end | mended => met, tired => low_on };
        other_low -> match { end => met, mended | tired => met };
        low_on -> met;
        deep -> sorry on error;
        sorry -> shared_too;
        met -> match side {
            Heads => some which { A => a -> sign_a, B => b, C => low_again } -> close,
            Tails => each items { cup } -> tally,
            Edge => close,
        };
        low_again -> match { _ => close };
        cup -> match { end => count, empty => dry };
        cup -> dry on error;
        count | dry -> tally;
        tally -> match odd { true => end, false => close at_most 2 else end early };
        close -> open at_most 1 else end;

        open: does;
        shared: does;
        shared_too: does;
        other: may_fail;
        deep: may_fail;
        sorry: does;
        low_on: does;
        met: does;
        a: does;
        b: may_fail;
        sign_a: Sign;
        close: does;
        count: item_may_fail;
        dry: does;
        tally: does;
        low: graph Bottom;
        other_low: graph Bottom;
        low_again: graph Bottom;
        cup: graph Cups, enter(pour), exit(taste), writes(log);
    }
}

graph! {
    #[graph(steps = 500)]
    pub(super) Top(Dice) {
        start -> begin;
        begin -> match { Heads => first, Tails => [first_too, second] -> after, Edge => each items { nested } -> after };
        first -> match { end => after, early => again };
        first_too | second -> match { end | early => after };
        nested -> match { end | early => after };
        first | second | nested -> failed on error;
        failed -> after;
        again -> begin at_most 2 else after;
        after -> end if odd;
        after -> each items match rest { Heads => x, Tails => y, Edge => z -> w } -> last;
        last -> end;
        last -> end failed on error;

        begin: picks;
        first: graph Middle;
        first_too: graph Middle;
        second: graph Middle;
        nested: graph Middle;
        failed: does;
        again: does;
        after: does;
        x: does;
        y: item_may_fail;
        z: does;
        w: item_may_fail;
        last: may_fail;
    }
}
