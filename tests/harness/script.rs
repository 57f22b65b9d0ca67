//! What a thread is told to do: the input of the graph in `world`, and of the interpreter in `model`.

use graphwright::prelude::*;

/// A turn: one operation after the other, and by which exit it ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Script {
    pub ops: Vec<Op>,
    pub stops: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    Line(Act),
    Ask(Sign),
    All {
        acts: [Act; 3],
        signs: [Sign; 2],
        part: Inner,
    },
    Some {
        ways: Vec<Which>,
        act: Act,
        sign: Sign,
        deep: Inner,
    },
    Calls(Vec<CallSpec>),
    Items(Vec<Spec>),
    Whole(Inner),
    Rescue,
    /// The router panics, whatever is mended.
    Unrouted,
}

/// What a node does besides its work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act {
    Work,
    Waits(u8),
    /// So many of its first attempts fail.
    Shaky(u8),
    /// The first attempt never ends.
    Hangs,
    /// Fails until it is mended.
    Broken,
    /// Panics until it is mended.
    Panics,
    /// What it gives panics in a reducer, until it is mended.
    Poisons,
}

/// Whether something is asked, and what is answered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Sign {
    Skip,
    Accept(u32),
    Decline,
    /// Not in a script that runs: what became of a question that nobody answered in time.
    Expired,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inner {
    pub act: Act,
    pub signs: [Sign; 2],
    pub early: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSpec {
    pub act: Act,
    /// It is asked about, and not run.
    pub sign: Option<Sign>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    pub label: u32,
    pub act: Act,
    pub sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Route)]
pub enum Which {
    A,
    B,
    C,
}
