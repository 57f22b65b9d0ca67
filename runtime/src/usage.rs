//! What models cost: counted as it is spent, told to routers and callers, and bounded.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// Tokens of model calls, and what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Money, in millionths of the unit that prices are in; zero where nobody said a price.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cost: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Usage {
    /// Tokens read and written.
    #[must_use]
    pub const fn new(input: u64, output: u64) -> Self {
        Self { input, output, cost: 0 }
    }

    /// And this much money, in millionths.
    #[must_use]
    pub const fn costing(self, millionths: u64) -> Self {
        Self { cost: millionths, ..self }
    }

    /// This, and that.
    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self {
            input: self.input.saturating_add(more.input),
            output: self.output.saturating_add(more.output),
            cost: self.cost.saturating_add(more.cost),
        }
    }

    /// Tokens read and written together.
    #[must_use]
    pub const fn tokens(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(crate) const fn is_none(&self) -> bool {
        self.input == 0 && self.output == 0 && self.cost == 0
    }
}

/// The most that a turn may use. Once it has used so much no more places begin, and the run ends as
/// [`StopReason::BudgetSpent`](crate::StopReason::BudgetSpent): what is committed stays, and the turn goes on where it
/// stands with `thread.proceed()` under a larger one.
///
/// What is under way is not cut off, so that a turn may use more by what its last calls cost.
///
/// ```
/// # use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
/// use graphwright::{Budget, StopReason, Usage};
///
/// #[node]
/// async fn think(count: &Count, cx: &Context<()>) -> NodeResult<Count> {
///     cx.spent(Usage::new(400, 100)).await; // A `Model` says so by itself.
///     Ok(Count::update().n(count.n + 1))
/// }
/// # #[router] fn enough(count: &Count) -> bool { count.n >= 9 }
/// # graph! { Thinker(Count) { start -> think; think -> end if enough; think -> think; } }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
/// let app = Thinker::app((), Memory::new()).budget(Budget::new().tokens(1_000));
/// let stopped = app.thread("t").run(Count::update()).await?.stopped().unwrap();
/// assert_eq!((stopped.reason, stopped.state.n, stopped.usage.tokens()), (StopReason::BudgetSpent, 2, 1_000));
/// let done = app.thread("t").proceed().budget(Budget::new()).await?.completed().unwrap();
/// assert_eq!((done.output.n, done.usage.tokens()), (9, 4_500));
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    tokens: Option<u64>,
    cost: Option<u64>,
}

impl Budget {
    /// No bound.
    #[must_use]
    pub const fn new() -> Self {
        Self { tokens: None, cost: None }
    }

    /// So many tokens, read and written together.
    #[must_use]
    pub const fn tokens(self, tokens: u64) -> Self {
        Self { tokens: Some(tokens), ..self }
    }

    /// So much money, in millionths of the unit that prices are in.
    #[must_use]
    pub const fn cost(self, millionths: u64) -> Self {
        Self { cost: Some(millionths), ..self }
    }

    fn is_spent(self, used: Usage) -> bool {
        self.tokens.is_some_and(|most| used.tokens() >= most) || self.cost.is_some_and(|most| used.cost >= most)
    }
}

/// What a run used that no row tells yet, and how much its turn may use.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    budget: Budget,
    /// Looked at after each step, so that one that used nothing locks nothing.
    runs: AtomicBool,
    used: Mutex<Usage>,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, ..Self::default() }
    }

    pub(crate) fn add(&self, used: Usage) {
        let mut sum = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *sum = sum.and(used);
        self.runs.store(true, Ordering::Release);
    }

    /// Whether there is anything to take.
    #[inline]
    pub(crate) fn runs(&self) -> bool {
        self.runs.load(Ordering::Acquire)
    }

    /// All of it: whoever takes it tells it.
    pub(crate) fn take(&self) -> Usage {
        if !self.runs() {
            return Usage::default();
        }
        let mut sum = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.runs.store(false, Ordering::Release);
        std::mem::take(&mut *sum)
    }

    /// Whether no more may begin in a turn that has used so much by what is committed.
    #[inline]
    pub(crate) fn is_spent(&self, committed: Usage) -> bool {
        self.budget != Budget::new() && self.budget.is_spent(committed.and(*self.used.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}
