//! What can be done to a thread, and how much of it was done.

use graphwright::Place;
use graphwright::prelude::*;

use super::world::{Apart, Part, Worlds};
use crate::faults::Others;

/// What somebody does.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// Begins the next turn, if none is under way.
    Begin {
        who: usize,
        polls: usize,
    },
    Proceed {
        who: usize,
        polls: usize,
        steps: Option<u64>,
    },
    /// One step.
    Step {
        who: usize,
        polls: usize,
    },
    Resume {
        who: usize,
        which: usize,
        polls: usize,
    },
    Poll {
        run: usize,
        polls: usize,
    },
    /// Lets a run come to its end, if it can.
    Finish {
        run: usize,
    },
    /// As a process that dies, or a caller that goes away.
    Drop {
        run: usize,
        silent: bool,
    },
    Answer {
        who: usize,
        which: usize,
        right: bool,
    },
    /// Gives an answer again that was taken before.
    Repeat {
        who: usize,
        which: usize,
    },
    Reissue {
        who: usize,
        which: usize,
    },
    Cancel {
        who: usize,
    },
    Abandon {
        who: usize,
    },
    Drain {
        who: usize,
    },
    /// Makes another thread of it as it was at a row, and brings that to its end.
    Fork {
        at: usize,
    },
    Sweep {
        who: usize,
    },
    Fail {
        who: usize,
        after: u64,
        calls: u64,
    },
    Lose {
        who: usize,
        after: u64,
    },
    Heal,
    /// Where it takes the other worker to be.
    Presume {
        who: usize,
        others: Others,
    },
    Mend {
        mended: bool,
    },
    Wait {
        seconds: u64,
    },
    /// Lets the time of questions pass; somebody sees to it, or nobody yet.
    Late {
        who: Option<usize>,
    },
    /// Changes the state from outside, as if a place had done it.
    Edit {
        who: usize,
    },
    Delete {
        who: usize,
    },
    /// Forgets what is below a row.
    Prune {
        who: usize,
        at: usize,
    },
    /// The runs of a worker stop there from now on; or nowhere.
    Break {
        who: usize,
        at: Option<Halt>,
    },
}

/// Where runs are to stop.
#[derive(Clone, Copy, Debug)]
pub enum Halt {
    BeforeWork,
    AfterLeft,
    BeforeChoose,
    BeforeAsk,
    BeforeInside,
    AfterLook,
}

impl Halt {
    pub const ALL: [Self; 6] =
        [Self::BeforeWork, Self::AfterLeft, Self::BeforeChoose, Self::BeforeAsk, Self::BeforeInside, Self::AfterLook];

    pub fn on(self, app: App<Worlds>) -> App<Worlds> {
        match self {
            Self::BeforeWork => app.break_before(Place::<Worlds>::work),
            Self::AfterLeft => app.break_after(Place::<Worlds>::left),
            Self::BeforeChoose => app.break_before(Place::<Worlds>::choose),
            Self::BeforeAsk => app.break_before(Place::<Worlds>::ask),
            Self::BeforeInside => app.break_before_in::<Part>(Place::<Part>::inside),
            Self::AfterLook => app.break_after_in::<Apart>(Place::<Apart>::look),
        }
    }
}

/// How much was done: a harness that did nothing fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    pub rows: usize,
    pub turns: usize,
    pub abandoned: usize,
    pub answers: usize,
    pub refused: usize,
    pub displaced: usize,
    pub forks: usize,
    pub failed: usize,
    pub stored: usize,
    /// Threads that were recorded and decided again.
    pub told_again: usize,
    pub expired: usize,
    pub edited: usize,
    pub deleted: usize,
    /// Rows that were pruned.
    pub pruned: usize,
    /// Runs that stopped where they were to.
    pub halted: usize,
}

impl Done {
    pub fn and(self, more: Self) -> Self {
        Self {
            rows: self.rows + more.rows,
            turns: self.turns + more.turns,
            abandoned: self.abandoned + more.abandoned,
            answers: self.answers + more.answers,
            refused: self.refused + more.refused,
            displaced: self.displaced + more.displaced,
            forks: self.forks + more.forks,
            failed: self.failed + more.failed,
            stored: self.stored + more.stored,
            told_again: self.told_again + more.told_again,
            expired: self.expired + more.expired,
            edited: self.edited + more.edited,
            deleted: self.deleted + more.deleted,
            pruned: self.pruned + more.pruned,
            halted: self.halted + more.halted,
        }
    }
}
