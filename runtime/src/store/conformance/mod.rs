//! What every store has to do, as cases: for stores of one's own.
//!
//! In a test file:
//!
//! ```
//! graphwright::conformance_tests!(|| async { graphwright::Memory::new() });
//! # fn main() {}
//! ```
//!
//! Each case becomes a test of its own. [`check`] runs them all where tests are not wanted. A case gets a store that is
//! empty; stores made one after the other must not share threads.

mod append;
mod bench;
mod delete;
mod hostile;
mod inbox;
mod list;
mod listing;
mod points;
mod questions;
mod race;
mod requests;
mod retention;
mod size;
mod tenants;
mod worker;

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::{AppendError, Checkpointer, StoreError};
use bench::Bench;
use list::CASES;

/// Why a store failed a case.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

/// A test that returns an error prints its `Debug`.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self(format!("an unexpected error: {error} ({error:?})"))
    }
}

impl From<AppendError> for Failure {
    fn from(error: AppendError) -> Self {
        Self(format!("an unexpected refusal: {error} ({error:?})"))
    }
}

type Verdict = Result<(), Failure>;
type Running = Pin<Box<dyn Future<Output = Verdict> + Send>>;

/// One thing that every store has to do.
#[derive(Clone, Copy)]
pub struct Case {
    name: &'static str,
    run: fn(Bench) -> Running,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Case").field(&self.name).finish()
    }
}

impl Case {
    /// Its group and what it expects, such as `append::an_old_version_conflicts`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Tries it on a store that is empty, inside a tokio runtime of several threads.
    ///
    /// # Errors
    /// [`Failure`] says what was expected and what was found.
    pub async fn run(&self, store: impl Checkpointer) -> Result<(), Failure> {
        (self.run)(Bench::new(store)).await
    }
}

/// All cases.
#[must_use]
pub fn cases() -> &'static [Case] {
    CASES
}

/// Tries every case, each on a store from `make`, and gives the number of cases.
///
/// # Errors
/// The cases that failed, by name.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// use graphwright::{Memory, store::conformance};
/// let tried = conformance::check(|| async { Memory::new() }).await.unwrap();
/// assert!(tried > 60);
/// # });
/// ```
pub async fn check<S, F>(make: impl Fn() -> F) -> Result<usize, Vec<(&'static str, Failure)>>
where
    S: Checkpointer,
    F: Future<Output = S>,
{
    let mut failed = Vec::new();
    for case in CASES {
        if let Err(failure) = case.run(make().await).await {
            failed.push((case.name, failure));
        }
    }
    if failed.is_empty() { Ok(CASES.len()) } else { Err(failed) }
}

/// Tries the case of that name on a runtime of its own: what [`conformance_tests!`](crate::conformance_tests) calls.
///
/// # Errors
/// The case failed, there is none of that name, or there can be no runtime.
pub fn run<S, F>(name: &str, make: impl Fn() -> F) -> Result<(), Failure>
where
    S: Checkpointer,
    F: Future<Output = S>,
{
    let case = CASES.iter().find(|case| case.name == name).ok_or_else(|| Failure(format!("there is no case `{name}`")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    let runtime = runtime.map_err(|error| Failure(format!("no runtime: {error}")))?;
    runtime.block_on(async { case.run(make().await).await })
}

/// Makes a test of each case of the suite: `conformance_tests!(|| async { MyStore::empty().await });`, once in a module.
#[macro_export]
macro_rules! conformance_tests {
    ($make:expr) => {
        async fn conformance_store() -> impl $crate::store::Checkpointer {
            ($make)().await
        }
        $crate::__conformance_cases!($crate::__conformance_tests);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ($($group:ident { $($case:ident)* })*) => { $(
        mod $group { $(
            #[test]
            fn $case() -> ::core::result::Result<(), $crate::store::conformance::Failure> {
                let name = ::core::concat!(::core::stringify!($group), "::", ::core::stringify!($case));
                $crate::store::conformance::run(name, super::conformance_store)
            }
        )* }
    )* };
}
