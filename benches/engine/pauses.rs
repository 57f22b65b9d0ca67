//! A question, an answer, the next question: what a cycle of two commits costs.

use std::time::Instant;

use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{BoxError, Memory, Outcome, Sqlite, graph};
use serde_json::json;

use crate::disk::{Bare, Folder, median};
use crate::measured::{Measured, Meter};
use crate::report::{Line, Report, per};

/// Cycles of one round.
const CYCLES: u64 = 200;
const ROUNDS: u32 = 15;

#[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
pub struct Talk {
    #[state(sum)]
    answers: u64,
}

pub struct Next;

#[node]
impl Interrupt<Talk, ()> for Next {
    type Question = u64;
    type Answer = u64;

    async fn ask(talk: &Talk, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(talk.answers))
    }

    fn resume(_: &Talk, _: &u64, answer: Answer<u64>) -> NodeResult<Self> {
        Ok(Talk::update().answers(match answer {
            Answer::Accepted(answer) => answer,
            Answer::Declined | Answer::Cancelled => 0,
        }))
    }
}

#[router]
pub fn enough(talk: &Talk) -> bool {
    talk.answers == u64::MAX
}

graph! {
    #[graph(steps = 1_000_000)]
    pub Asking(Talk, ()) {
        start -> next;
        next -> end if enough;
        next -> next;
        next: Next;
    }
}

type Q = Question<Asking>;

/// So many cycles on a fresh thread; the first question is asked before.
async fn cycles(app: &App<Asking>, thread: String) -> Result<f64, BoxError> {
    let thread = app.thread(thread);
    let mut outcome = thread.run(Talk::update()).await?;
    let start = Instant::now();
    for _ in 0..CYCLES {
        let Outcome::Paused(paused) = outcome else { return Err("it must ask".into()) };
        let Some(Q::next(open)) = paused.questions.into_iter().next() else { return Err("it must ask".into()) };
        outcome = thread.resume(open.accept(1)).await?;
    }
    Ok(per(start.elapsed().as_nanos(), CYCLES))
}

/// What a cycle costs in each of some rounds. After each of them comes what it is compared with, which is told the bytes of
/// a commit.
async fn rounds(
    report: &mut Report,
    name: &'static str,
    store: impl Checkpointer,
    mut beside: impl FnMut(usize) -> Result<(), BoxError>,
) -> Result<Vec<f64>, BoxError> {
    let (store, meter) = Measured::new(store);
    let app = Asking::app((), store);
    cycles(&app, "warm".to_owned()).await?;
    let mut costs = Vec::new();
    for round in 0..ROUNDS {
        costs.push(cycles(&app, format!("round-{round}")).await?);
        beside(usize::try_from(meter.bytes() / meter.commits())?)?;
    }
    let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
    line(report, name, best, &meter)?;
    Ok(costs)
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let folder = Folder::new("pauses")?;
    runtime.block_on(async {
        let memory = rounds(report, "memory", Memory::new(), |_| Ok(())).await?.into_iter().fold(f64::INFINITY, f64::min);
        report.at_most("interrupt: a cycle on memory", memory / 1_000.0, "microseconds", 20.0)?;

        // The two commits that a cycle needs, with as many bytes; in turns, so that a busy disk meets both alike.
        let bare = Bare::open(&folder.file("bare.db"))?;
        bare.insert(2 * CYCLES, &[b'x'; 100])?;
        let mut theirs = Vec::new();
        let ours = rounds(report, "sqlite", Sqlite::open(folder.file("ours.db")).await?, |bytes| {
            theirs.push(per(bare.insert(2 * CYCLES, &vec![b'x'; bytes])?.as_nanos(), CYCLES));
            Ok(())
        });
        let ours = ours.await?;
        // Round by round: how long the disk takes changes from one second to the next.
        let rates = theirs.into_iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect();
        report.at_least("interrupt, sqlite: a cycle beside two bare inserts", median(rates), "times the rate", 0.7)?;
        Ok(())
    })
}

fn line(report: &mut Report, name: &str, cost: f64, meter: &Meter) -> Result<(), BoxError> {
    let params = json!({ "store": name, "commits_per_cycle": 2 });
    let bytes_stored = meter.bytes();
    let steps = CYCLES * u64::from(ROUNDS);
    Ok(report.line(&Line { workload: "interrupt", params, steps, ns_per_step: cost, allocs_per_step: None, bytes_stored })?)
}
