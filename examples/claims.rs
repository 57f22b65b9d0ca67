//! Claims of an insurance: no model, two people, days. `cargo run --example claims`
//!
//! An expert says how much is paid, and a manager has the last word; what they do not answer in time goes a way of its own.
//! The claims are in an SQLite file, so that the program may end whenever it likes: here version 2, in which one place has
//! another name and two are new, takes up what version 1 left. A clock that is moved by hand makes moments of days.
//! It prints what waits for whom on two of the days, and how each claim ended.

use std::time::Duration;
use std::{env, fs, process};

use graphwright::prelude::*;
use graphwright::{BoxError, ManualClock};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What is known of a claim.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Claim {
    pub what: String,
    euros: u64,
    #[state(append)]
    notes: Vec<String>,
}

/// Enters it into the registry, which is busy at first.
#[node(writes(notes))]
async fn register(_: &Claim, cx: &Context<()>) -> NodeResult<register> {
    if cx.attempt() < 3 {
        return Err(NodeError::transient("the registry is busy"));
    }
    Ok(Claim::update().notes([format!("registered at attempt {}", cx.attempt())]))
}

/// Asks somebody how much is paid. It stands at two places: an expert says it first, and a manager may change it.
pub struct HowMuch;

#[node(writes(euros, notes))]
impl Interrupt<Claim, ()> for HowMuch {
    type Question = String;
    type Answer = u64;

    async fn ask(claim: &Claim, cx: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(format!("How much for {}? So far {} euros.", claim.what, claim.euros)).to(cx.place()))
    }

    fn resume(_: &Claim, _: &String, answer: Answer<u64>) -> NodeResult<Self> {
        Ok(match answer {
            Answer::Accepted(euros) => Claim::update().euros(euros).notes([format!("{euros} euros")]),
            Answer::Declined | Answer::Cancelled => Claim::update(),
        })
    }
}

/// Notes the place where it stands.
#[node(writes(notes))]
fn note(_: &Claim, cx: &Context<()>) -> Update<Claim, note> {
    Claim::update().notes([cx.place()])
}

pub mod v1 {
    use super::{Claim, HowMuch, register};

    graphwright::graph! {
        #[graph(version = 1)]
        pub Claims(Claim, ()) {
            start -> register -> adjuster -> match { Accepted => manager, Declined | Cancelled => end refused };
            manager -> match { Accepted => end paid, Declined | Cancelled => end refused };
            adjuster | manager -> end refused on expiry;

            register: retry(3, backoff(10ms));
            adjuster: HowMuch, expires(72h);
            manager: HowMuch, expires(48h);
        }
    }
}

pub mod v2 {
    use super::{Claim, HowMuch, note, register};

    graphwright::graph! {
        /// Looks for fraud, reminds the manager before it is too late, and has a better name for the adjuster.
        #[graph(version = 2)]
        pub Claims(Claim, ()) {
            start -> register -> expert -> match { Accepted => fraud_check, Declined | Cancelled => end refused };
            fraud_check -> manager -> match { Accepted => end paid, Declined | Cancelled => end refused };
            expert -> end refused on expiry;
            manager -> reminder on expiry;
            reminder -> manager at_most 2 else end refused;

            register: retry(3, backoff(10ms));
            expert: HowMuch, was("adjuster"), expires(72h);
            manager: HowMuch, expires(48h);
            fraud_check: note;
            reminder: note;
        }
    }
}

type Q1 = Question<v1::Claims>;
type Q2 = Question<v2::Claims>;

/// Whoever is asked about this claim says this. A worker goes on with it: in a server, `tokio::spawn(app.work())`.
async fn answer(app: &App<v2::Claims>, claim: &str, euros: u64) -> Result<(), RunError> {
    for question in app.thread(claim).pending().await? {
        match question {
            Q2::expert(open) | Q2::manager(open) => app.thread(claim).answer(open.accept(euros)).await?,
        };
    }
    app.sweep().await.map(drop)
}

async fn print_inbox(day: u32, app: &App<v2::Claims>) -> Result<(), RunError> {
    println!("day {day}");
    for open in app.pending().list().await?.waiting {
        println!("  {} for the {}: {}", open.thread, open.labels.join(", "), open.question);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let (clock, folder) = (ManualClock::default(), env::temp_dir().join(format!("claims-{}", process::id())));
    fs::create_dir_all(&folder)?;
    let old = v1::Claims::app((), Sqlite::open(folder.join("claims.db")).await?).clock(clock.clone());
    for (claim, what) in [("C-1", "a bicycle"), ("C-2", "a roof"), ("C-3", "a window")] {
        let Outcome::Paused(paused) = old.thread(claim).run(Claim::update().what(what)).await? else { continue };
        if let ("C-2", [Q1::adjuster(open)]) = (claim, &paused.questions[..]) {
            old.thread(claim).resume(open.accept(9000)).await?.paused().ok_or("the manager was not asked")?;
        }
    }
    // The program ends, and another one begins: over the same file, with another graph.
    drop(old);
    let app = v2::Claims::app((), Sqlite::open(folder.join("claims.db")).await?).clock(clock.clone());
    clock.advance(DAY);
    print_inbox(1, &app).await?;
    answer(&app, "C-1", 300).await?;
    answer(&app, "C-1", 250).await?;
    clock.advance(3 * DAY);
    app.sweep().await?;
    print_inbox(4, &app).await?;
    answer(&app, "C-2", 8000).await?;
    for claim in ["C-1", "C-2", "C-3"] {
        let done = app.thread(claim).proceed().await?.completed().ok_or("it is not decided")?;
        println!("{claim} {:?}: {}", done.exit, done.output.notes.join(", "));
    }
    Ok(fs::remove_dir_all(&folder)?)
}
