//! What the facts about a place ask of the driver.

use std::time::Duration;

use crate::topology::{Place, Role};

/// `draft: retry(3, backoff(500ms)), timeout(60s);`
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// How often it is tried again, and how long is waited before.
    pub retry: Option<Retry>,
    /// How long one attempt may take.
    pub timeout: Option<Duration>,
    /// How long its question can be answered.
    pub expires: Option<Duration>,
    /// How long its update may be given again for the same state, without running it.
    pub cache: Option<Duration>,
    /// Names that it had in earlier versions of the graph.
    pub was: &'static [&'static str],
}

impl Policy {
    /// Nothing is asked.
    pub const NONE: Self = Self { retry: None, timeout: None, expires: None, cache: None, was: &[] };

    /// What is asked of a place, and else of all places that it can be asked of.
    #[must_use]
    pub const fn of(own: Self, all: Self, place: &Place) -> Self {
        let runs = !place.pauses && !matches!(place.role, Role::Graph);
        Self {
            retry: or_if(own.retry, all.retry, runs),
            timeout: or_if(own.timeout, all.timeout, runs),
            expires: or_if(own.expires, all.expires, place.pauses && !matches!(place.role, Role::Graph)),
            cache: or_if(own.cache, all.cache, runs),
            was: own.was,
        }
    }
}

/// What the router of `cache(key, 10min)` gives.
#[diagnostic::on_unimplemented(
    message = "`cache({R}, ..)` wants a text, but `{R}` returns `{Self}` [GW086]",
    label = "not a `String`",
    note = "return the text that tells the results apart: as long as it is the same, the result is given again"
)]
pub trait CacheKey<R> {
    /// Names the trait where a graph asks for it.
    const KEY: () = ();
    /// It, as text.
    fn key(self) -> String;
}
#[diagnostic::do_not_recommend]
impl<R, T: Into<String>> CacheKey<R> for T {
    fn key(self) -> String {
        self.into()
    }
}

const fn or_if<T: Copy>(own: Option<T>, all: Option<T>, fits: bool) -> Option<T> {
    match own {
        Some(_) => own,
        None if fits => all,
        None => None,
    }
}

/// `retry(3, backoff(500ms))`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How many attempts there are after the first.
    pub times: u32,
    /// How long is waited before the second attempt; twice as long before each further one. Of that at least half, and at most
    /// all: how much is left to chance, so that those who failed together do not try again together.
    pub backoff: Duration,
    /// The longest that is waited.
    pub limit: Duration,
}

impl Retry {
    /// As written: 500 ms and 30 s, where nothing else is said.
    #[must_use]
    pub const fn new(times: u32, backoff: Option<Duration>, limit: Option<Duration>) -> Self {
        let backoff = match backoff {
            Some(backoff) => backoff,
            None => Duration::from_millis(500),
        };
        let limit = match limit {
            Some(limit) => limit,
            None => Duration::from_secs(30),
        };
        Self { times, backoff, limit }
    }
}

/// Refuses `retry` on what asks, and on a mounted graph.
#[track_caller]
#[allow(clippy::panic, reason = "runs in the compiler, where a panic is how a mistake is said")]
pub const fn retry(place: &Place) {
    assert!(
        !matches!(place.role, Role::Graph),
        "a mounted graph is not tried again as a whole [GW034]\n  help: put `retry(..)` on the places in it"
    );
    assert!(
        !place.pauses,
        "an interrupt is asked once, and not tried again [GW034]\n  help: put `retry(..)` on the node that does the work, and ask nobody twice"
    );
}

/// Refuses `timeout` on a mounted graph.
#[track_caller]
#[allow(clippy::panic, reason = "runs in the compiler, where a panic is how a mistake is said")]
pub const fn timeout(place: &Place) {
    assert!(
        !matches!(place.role, Role::Graph),
        "a mounted graph has no limit as a whole [GW034]\n  help: put `timeout(..)` on the places in it, or a deadline on the run"
    );
}

/// Refuses `cache` on what asks, and on a mounted graph.
#[track_caller]
#[allow(clippy::panic, reason = "runs in the compiler, where a panic is how a mistake is said")]
pub const fn cache(place: &Place) {
    assert!(
        !matches!(place.role, Role::Graph),
        "what a mounted graph gives is not kept as a whole [GW034]\n  help: put `cache(..)` on the places in it"
    );
    assert!(
        !place.pauses,
        "what somebody answered is kept for nobody else [GW034]\n  help: put `cache(..)` on the node that does the work"
    );
}

/// Refuses `expires`, and a way `on expiry`, of what asks nobody.
#[track_caller]
#[allow(clippy::panic, reason = "runs in the compiler, where a panic is how a mistake is said")]
pub const fn expires(place: &Place) {
    assert!(
        place.pauses && !matches!(place.role, Role::Graph),
        "only the question of an interrupt can expire [GW034]\n  help: for a limit of a node's running time write `timeout(60s)`"
    );
}

/// Refuses a mounted graph that never ends.
#[track_caller]
#[allow(clippy::panic, reason = "runs in the compiler, where a panic is how a mistake is said")]
pub const fn some_exit(place: &Place) {
    let none = match place.graph {
        Some(graph) => graph.exits.is_empty(),
        None => false,
    };
    assert!(
        !none,
        "this mounted graph never ends, so nothing behind it is ever reached [GW033]\n  help: give it an exit, `-> end;`, or make it a graph of its own"
    );
}

/// Refuses a plain arrow behind a mounted graph with several exits.
#[track_caller]
#[allow(clippy::panic, reason = "runs in the compiler, where a panic is how a mistake is said")]
pub const fn one_exit(place: &Place) {
    let several = match place.graph {
        Some(graph) => graph.exits.len() > 1,
        None => false,
    };
    assert!(
        !several,
        "this mounted graph has several exits, and a plain arrow does not tell them apart [GW033]\n  help: match on them: `-> match {{ end => place, other => place }}`"
    );
}
