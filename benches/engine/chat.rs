//! A conversation of many turns, each a run of its own on one thread: what a turn costs, and whether it costs more later.

use std::time::{Duration, Instant};

use graphwright::agent::{Conversation, Model, Reply, Scripted};
use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{BoxError, Memory, Outcome, Sqlite, graph};
use serde_json::json;

use crate::disk::Folder;
use crate::measured::Measured;
use crate::report::{Line, Report, per};

/// What the user says and what the model says are as long as this.
const TEXT: usize = 512;
const TURNS: usize = 1_000;
/// Turns at each end that are compared.
const END: usize = 100;

#[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
pub struct Chat {
    #[state(conversation)]
    talk: Conversation,
}

/// Answers.
#[node(model)]
async fn reply(chat: &Chat, cx: &Context<Model>) -> NodeResult<Chat> {
    Ok(Chat::update().talk(cx.deps().chat(&chat.talk).send(cx).await?))
}

graph! {
    pub Talk(Chat, Model) {
        start -> reply -> end;
    }
}

async fn turns(report: &mut Report, name: &'static str, store: impl Checkpointer) -> Result<(), BoxError> {
    let (store, meter) = Measured::new(store);
    let app = Talk::app(Model::new(Scripted::by(|_| Reply::text("y".repeat(TEXT)))), store);
    let thread = app.thread("chat");
    let mut marks = vec![(Duration::ZERO, 0)];
    let start = Instant::now();
    for _ in 0..TURNS {
        match thread.run(Chat::update().talk("x".repeat(TEXT).as_str())).await? {
            Outcome::Completed(_) => marks.push((start.elapsed(), meter.bytes())),
            other => return Err(format!("{other:?}").into()),
        }
    }
    let (Some(first), Some(last), Some(before)) = (marks.get(END), marks.last(), marks.get(TURNS - END)) else {
        return Err("too few turns".into());
    };
    let params = json!({ "turns": TURNS, "bytes_per_turn": 2 * TEXT, "store": name });
    let ns_per_step = per(last.0.as_nanos(), TURNS as u64);
    report.line(&Line { workload: "chat", params, steps: TURNS as u64, ns_per_step, allocs_per_step: None, bytes_stored: last.1 })?;
    let time = per((last.0 - before.0).as_nanos(), 1) / per(first.0.as_nanos(), 1);
    let bytes = per((last.1 - before.1).into(), 1) / per(first.1.into(), 1);
    let (times, stored) = match name {
        "memory" => ("chat, memory: time of the last hundred turns", "chat, memory: bytes of the last hundred turns"),
        _ => ("chat, sqlite: time of the last hundred turns", "chat, sqlite: bytes of the last hundred turns"),
    };
    report.at_most(times, time, "times the first", 1.5)?;
    report.at_most(stored, bytes, "times the first", 1.5)?;
    Ok(())
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder = Folder::new("chat")?;
    runtime.block_on(async {
        turns(report, "memory", Memory::new()).await?;
        turns(report, "sqlite", Sqlite::open(folder.file("chat.db")).await?).await
    })
}
