//! A support agent for a small shop, in a terminal: `cargo run --example support`.
//!
//! It reads the orders and policies in `examples/data`, asks the customer when a request is ambiguous, and a manager
//! before much money is paid back. Every conversation is kept in an SQLite file, so that the process may be ended at any
//! moment, also by `kill -9`: started again it goes on where it was, asks what it had asked, and pays nothing twice.

mod graph;
mod model;
mod session;
mod shop;
mod terminal;

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use graphwright::agent::{GenaiModel, Model};
use graphwright::prelude::*;
use graphwright::{BoxError, Graph, RunError, Sqlite};

use crate::graph::{Deps, SupportAgent};
use crate::session::{Ended, Session};
use crate::shop::{Cents, Shop};
use crate::terminal::Terminal;

/// The variable with the key of a server of one's own. Keys of providers are in their usual variables.
const KEY: &str = "SUPPORT_API_KEY";

const EXIT_CODES: &str = "Exit codes:
  0  the turn is done
  1  it failed; start again to go on
  2  the command line is wrong
  3  a question is open: answer it with --answer, or start again without
  4  there is nothing to answer, or the answer does not fit; nothing was written
  5  another process works on this thread
  6  the turn was stopped before its end";

/// A support agent for a small shop. It looks up orders, asks when it is unsure, and pays money back.
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The conversation. Started again on one that waits, the agent puts its question again
    #[arg(long, value_name = "ID", default_value = "front-desk")]
    thread: String,

    /// The SQLite file with all conversations; receipts of refunds lie in a folder beside it
    #[arg(long, value_name = "PATH", default_value = "support.db")]
    db: PathBuf,

    /// `scripted`, which needs no network and works from the customer's words by plain rules, or a model by name
    #[arg(long, value_name = "NAME", default_value = "scripted")]
    model: String,

    /// An OpenAI-compatible server that has the model; if it wants a key, it is read from `SUPPORT_API_KEY`
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Say this as the customer, and end with what comes of it
    #[arg(long, value_name = "TEXT", conflicts_with = "answer", allow_hyphen_values = true)]
    ask: Option<String>,

    /// Answer the open question, and end with what comes of it: a number of the menu, a list of numbers, a text in
    /// quotes, or `null` to go away without; where several things are asked, a list with one of these for each; and a
    /// manager answers "approve" or {"refuse": {"why": ".."}}
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    answer: Option<String>,

    /// Refunds of more than so many euros wait for a manager
    #[arg(long, value_name = "EUROS", default_value_t = 100)]
    limit: u64,

    /// How long the bank takes to pay, in milliseconds: long enough to end the process halfway
    #[arg(long, value_name = "MS", default_value_t = 0)]
    slow_bank: u64,

    /// Print the graph, and end
    #[arg(long, value_name = "FORMAT")]
    diagram: Option<Diagram>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Diagram {
    Mermaid,
    Json,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let code = match run(Args::parse()).await {
        Ok(Ended::Done) => 0,
        Ok(Ended::Waiting) => 3,
        Ok(Ended::Stopped) => 6,
        Err(error) => {
            // Whoever closed the pipe does not read this either.
            let _ = writeln!(io::stderr(), "error: {}", words(&error));
            code(&error)
        }
    };
    ExitCode::from(code)
}

async fn run(args: Args) -> Result<Ended, BoxError> {
    if let Some(format) = args.diagram {
        let text = match format {
            Diagram::Mermaid => SupportAgent::TOPOLOGY.mermaid(),
            Diagram::Json => SupportAgent::TOPOLOGY.json(),
        };
        writeln!(io::stdout(), "{}", text.trim_end())?;
        return Ok(Ended::Done);
    }
    let shop = Shop::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), args.db.with_extension("refunds"))?;
    let terminal = Terminal::new();
    let model = if args.model == "scripted" {
        terminal.note("a scripted model: it works from your words by plain rules")?;
        model::scripted()
    } else {
        real(&args.model, args.base_url)
    };
    let deps = Deps::new(model, shop, Cents(args.limit.saturating_mul(100)), Duration::from_millis(args.slow_bank))?;
    let app = SupportAgent::app(deps, Sqlite::open(&args.db).await?);
    let session = Session { thread: app.thread(args.thread), terminal };
    match (args.ask, args.answer) {
        (Some(text), _) => session.say(&text).await,
        (None, Some(json)) => session.answer(&json).await,
        (None, None) => session.talk().await,
    }
}

/// A model of a provider that its name tells, or of a server of one's own.
fn real(name: &str, base_url: Option<String>) -> Model {
    let model = GenaiModel::new(name);
    Model::new(match (base_url, env::var(KEY)) {
        (None, _) => model,
        (Some(url), Ok(key)) => model.base_url(url).api_key(key),
        (Some(url), Err(_)) => model.base_url(url),
    })
}

/// What a script is told of an error.
/// In the words of a shop, where the library's own are for whoever writes one.
fn words(error: &BoxError) -> String {
    match error.downcast_ref() {
        Some(RunError::Busy { .. }) => "somebody else works on this conversation: try again when they are done".to_owned(),
        _ => error.to_string(),
    }
}

fn code(error: &BoxError) -> u8 {
    if error.is::<BadAnswer>() {
        return 4;
    }
    match error.downcast_ref() {
        Some(RunError::BadAnswer(_) | RunError::NoQuestion | RunError::Spent { .. } | RunError::Superseded) => 4,
        Some(RunError::Busy { .. } | RunError::Displaced) => 5,
        Some(RunError::Id(_)) => 2,
        _ => 1,
    }
}
