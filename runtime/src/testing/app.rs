//! An app for a test.

use std::env;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context as Task, Poll, Waker};
use std::thread;
use std::time::Duration;

use tokio::time::Instant;

use super::expect::failed;
use super::{Coverage, Divergence, Listener, Recording, RecordingError};
use crate::app::App;
use crate::clock::{Clock, CountingIds, Timestamp};
use crate::graph::Graph;
use crate::store::{Memory, Page, Query};

/// The variable that names the folder where each [`TestApp`] leaves which ways it took, for [`Coverage::read`].
pub const COVERAGE: &str = "GRAPHWRIGHT_COVERAGE";

/// The first of January 2026, in UTC.
const BEGIN: Timestamp = Timestamp(1_767_225_600_000_000);

/// Goes with tokio's timer, so that one clock drives all there is: backoffs, deadlines and sweeps, and what is stored. It
/// begins on the first of January 2026, and stands still in a test with `#[tokio::test(start_paused = true)]`, but for
/// [`TestApp::advance`], and where everything waits for a timer.
#[derive(Clone, Copy, Debug)]
pub struct TestClock(Instant);

impl Default for TestClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        BEGIN.after(self.0.elapsed())
    }
}

/// An app on a store in memory, with a [`TestClock`], ids that are the same in every run, and a [`Listener`]. It is an
/// [`App`] in all else.
///
/// ```
/// # use graphwright::prelude::*;
/// # use std::time::Duration;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Trip { booked: bool }
/// # #[derive(Debug)] struct Confirm;
/// # #[node] impl Interrupt<Trip, ()> for Confirm {
/// #     type Question = ();
/// #     type Answer = bool;
/// #     async fn ask(_: &Trip, _: &Context<()>) -> Result<Ask<Self>, NodeError> { Ok(Ask::question(())) }
/// #     fn resume(_: &Trip, _: &(), answer: Answer<bool>) -> NodeResult<Self> { Ok(Trip::update().booked(matches!(answer, Answer::Accepted(true)))) }
/// # }
/// # #[node] fn release(_: &Trip) {}
/// # graph! { Trips(Trip) { start -> confirm -> end; confirm -> release on expiry; release -> end; confirm: Confirm, expires(48h); } }
/// use graphwright::testing::TestApp;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> Result<(), RunError> {
/// let app = TestApp::<Trips>::new(());
/// let thread = app.thread("t");
/// let _paused = thread.run(Trip::update()).await?;
/// app.advance(Duration::from_secs(49 * 60 * 60)).await;
/// assert_eq!(app.sweep().await?.expired, 1);
/// assert_eq!(app.heard().places(), ["confirm", "release"]);
/// # Ok(()) }
/// ```
///
/// If the variable [`COVERAGE`] names a folder, the ways that its threads took are written there when it is dropped.
pub struct TestApp<G: Graph> {
    app: App<G>,
    heard: Listener,
    coverage: Option<PathBuf>,
}

impl<G: Graph> TestApp<G> {
    /// A graph with what its nodes need.
    #[must_use]
    pub fn new(deps: G::Deps) -> Self {
        let heard = Listener::default();
        let app = App::new(deps, Memory::new()).clock(TestClock::default()).ids(CountingIds::default()).observe(heard.clone());
        Self { app, heard, coverage: env::var_os(COVERAGE).map(PathBuf::from) }
    }

    /// Sets what an [`App`] can be set to: `TestApp::new(deps).with(|app| app.on_paused(OnPaused::Abandon))`.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(App<G>) -> App<G>) -> Self {
        self.app = set(self.app.clone());
        self
    }

    /// Where to write the ways that its threads took, whatever the variable [`COVERAGE`] says.
    #[must_use]
    pub fn coverage_to(mut self, folder: impl Into<PathBuf>) -> Self {
        self.coverage = Some(folder.into());
        self
    }

    /// What its runs told.
    #[must_use]
    pub fn heard(&self) -> &Listener {
        &self.heard
    }

    /// Lets so much time pass: what waits for a timer until then goes on. Questions whose time is up are closed by a sweep, as
    /// ever.
    ///
    /// # Panics
    /// If the test has no clock that stands still: `#[tokio::test(start_paused = true)]`.
    #[track_caller]
    pub fn advance(&self, time: Duration) -> impl Future<Output = ()> + Send + use<G> {
        let caller = Location::caller();
        async move {
            if goes_by_itself() {
                failed(caller, "the clock of this test goes by itself: write `#[tokio::test(start_paused = true)]`");
            }
            tokio::time::advance(time).await;
        }
    }

    /// The ways that its threads took, those of its own scope.
    ///
    /// # Errors
    /// What cannot be read, or is decided otherwise the second time.
    pub async fn coverage(&self) -> Result<Coverage, RecordingError> {
        let mut coverage = Coverage::of::<G>();
        let desk = self.app.desk();
        let mut page = Page::default();
        loop {
            let query = Query::Threads { scope: Some(desk.scope_hash), status: Vec::new() };
            let listing = desk.store.list(&query, page.clone()).await.map_err(crate::RunError::from)?;
            for row in listing.threads {
                let recording = Recording::of(&self.app.thread(row.name.as_str())).await?;
                coverage.add::<G>(&recording).map_err(|differs: Divergence| RecordingError::Diverges(Box::new(differs)))?;
            }
            match listing.next {
                Some(next) => page.after = Some(next),
                None => return Ok(coverage),
            }
        }
    }

    /// A store in memory makes nobody wait, so this is done at once.
    fn leave(&self, folder: &Path) -> Result<(), String> {
        let coverage = match pin!(self.coverage()).poll(&mut Task::from_waker(Waker::noop())) {
            Poll::Ready(coverage) => coverage.map_err(|error| error.to_string())?,
            Poll::Pending => return Err("its store makes it wait".to_owned()),
        };
        coverage.save(folder).map_err(|error| format!("{}: {error}", folder.display()))
    }
}

/// Whether tokio's clock goes with the world's; tokio does not say.
fn goes_by_itself() -> bool {
    let now = Instant::now();
    thread::sleep(Duration::from_millis(1));
    Instant::now() != now
}

// By hand: a derive would ask it of the graph.
impl<G: Graph> fmt::Debug for TestApp<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestApp").field("app", &self.app).field("coverage", &self.coverage).finish_non_exhaustive()
    }
}

impl<G: Graph> Deref for TestApp<G> {
    type Target = App<G>;
    fn deref(&self) -> &App<G> {
        &self.app
    }
}

impl<G: Graph> Drop for TestApp<G> {
    #[allow(clippy::panic, reason = "a test whose ways are not counted must not pass")]
    fn drop(&mut self) {
        let Some(folder) = &self.coverage else { return };
        if let Err(why) = self.leave(folder)
            && !thread::panicking()
        {
            panic!("which ways the test took cannot be told: {why}");
        }
    }
}
