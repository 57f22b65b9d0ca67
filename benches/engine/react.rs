//! A model that calls a tool again and again: what a turn of a conversation costs, and whether it costs more later.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use graphwright::agent::{Call, Conversation, HasModel, HasTools, Message, Model, Reply, Scripted, ToolError, Toolset, tool_calls, tools};
use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{BoxError, Memory, Outcome, Sqlite, graph, tool, toolset};
use serde_json::{Value, json};

use crate::disk::Folder;
use crate::measured::{Measured, Meter};
use crate::report::{Line, Report, allocations, per, shortest};

/// Half of what one turn adds: the model's message and the tool's result are as long as this.
const TEXT: usize = 512;
/// Turns of the comparison without a store.
const SHORT: u64 = 500;
/// Turns of the comparison of early and late turns.
const LONG: u64 = 1_000;
/// Turns at each end of it.
const END: usize = 100;

#[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
pub struct Chat {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Clone)]
pub struct Deps {
    model: Model,
    tools: Toolset<Deps>,
}

impl Deps {
    /// A model that calls `note` so often, and tells `called` each time.
    fn new(turns: u64, called: impl Fn() + Send + Sync + 'static) -> Result<Self, BoxError> {
        let turn = Mutex::new(0);
        let model = Scripted::by(move |_| {
            called();
            let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            *turn += 1;
            if *turn > turns {
                *turn = 0;
                return Reply::text("done");
            }
            Reply::text("x".repeat(TEXT)).call("note", json!({ "turn": *turn }))
        });
        Ok(Self { model: Model::new(model), tools: toolset![note]? })
    }
}

impl HasModel for Deps {
    fn model(&self) -> &Model {
        &self.model
    }
}

impl HasTools for Deps {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

#[derive(Deserialize, graphwright::agent::JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
pub struct Note {
    turn: u64,
}

/// Notes something.
#[tool]
pub async fn note(note: Note) -> Result<String, ToolError> {
    let mut text = format!("{} ", note.turn);
    text.push_str(&"y".repeat(TEXT - text.len()));
    Ok(text)
}

#[node(model)]
pub async fn react(chat: &Chat, cx: &Context<Deps>) -> NodeResult<Chat> {
    let Deps { model, tools } = cx.deps();
    Ok(Chat::update().talk(model.chat(&chat.talk).tools(tools).send(cx).await?))
}

graph! {
    /// A model and its tools.
    #[graph(steps = 10_000)]
    pub React(Chat, Deps) {
        start -> react;
        react -> match tool_calls { Continue => tools, Finish => end, Repeating => end cut };
        tools -> react;
    }
}

/// The same conversation by a loop: the same model and tools, a list of messages, nothing else.
async fn by_hand(deps: &Deps) -> Result<Vec<Message>, BoxError> {
    let cx = Context::test(deps.clone());
    let mut talk = vec![Message::User { text: "go".to_owned() }];
    loop {
        let reply = deps.model.chat(&talk).tools(&deps.tools).send(&cx).await?;
        let call = |call: graphwright::agent::RawCall| -> Result<Call, BoxError> {
            Ok(Call { id: call.id.unwrap_or_default(), name: call.name, arguments: serde_json::from_str(&call.arguments)? })
        };
        let calls: Vec<Call> = reply.calls.into_iter().map(call).collect::<Result<_, _>>()?;
        talk.push(Message::Assistant { text: reply.text, calls: calls.clone() });
        if calls.is_empty() {
            return Ok(talk);
        }
        for call in &calls {
            talk.push(Message::Tool(deps.tools.call(call, &cx).await));
        }
    }
}

async fn graph(deps: &Deps) -> Result<Conversation, BoxError> {
    match React::run(deps.clone(), Chat::update().talk("go")).await? {
        Outcome::Completed(done) => Ok(done.output.talk),
        other => Err(format!("{other:?}").into()),
    }
}

/// 500 turns without a store, beside the loop by hand.
fn bare(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let deps = Deps::new(SHORT, || {})?;
    let (hand, ours) = (runtime.block_on(by_hand(&deps))?, runtime.block_on(graph(&deps))?);
    if hand.len() != ours.len() || hand.len() != 2 * SHORT as usize + 2 {
        return Err(format!("{} messages by hand, and {} by the graph", hand.len(), ours.len()).into());
    }
    // Either of them is a whole conversation.
    let steps = 2 * SHORT + 1;
    let [hand, ours] = shortest(15, [&mut || drop(runtime.block_on(by_hand(&deps))), &mut || drop(runtime.block_on(graph(&deps)))]);
    let hand_allocations = allocations(|| drop(runtime.block_on(by_hand(&deps))));
    let our_allocations = allocations(|| drop(runtime.block_on(graph(&deps))));
    for (workload, time, allocations) in [("react by hand", hand, hand_allocations), ("react", ours, our_allocations)] {
        let params = json!({ "turns": SHORT, "bytes_per_turn": 2 * TEXT, "store": null });
        line(report, workload, params, steps, time, Some(allocations), 0)?;
    }
    report.at_most("react: times the loop by hand", per(ours.as_nanos(), 1) / per(hand.as_nanos(), 1), "times", 2.5)?;
    Ok(())
}

/// When each turn began, and what was stored by then.
type Marks = Arc<Mutex<Vec<(Instant, u64)>>>;

/// 1,000 turns on a store: the last hundred beside the first.
async fn long(report: &mut Report, name: &'static str, store: impl Checkpointer) -> Result<(), BoxError> {
    let marks = Marks::default();
    let (store, meter) = Measured::new(store);
    let deps = Deps::new(LONG, {
        let (marks, meter) = (marks.clone(), meter.clone());
        move || mark(&marks, &meter)
    })?;
    let start = Instant::now();
    match React::app(deps, store).thread("react").run(Chat::update().talk("go")).await? {
        Outcome::Completed(_) => {}
        other => return Err(format!("{other:?}").into()),
    }
    let params = json!({ "turns": LONG, "bytes_per_turn": 2 * TEXT, "store": name });
    line(report, "react", params, 2 * LONG + 1, start.elapsed(), None, meter.bytes())?;
    let marks = marks.lock().unwrap_or_else(PoisonError::into_inner);
    let (Some([first, .., first_end]), Some([last, .., last_end])) = (marks.get(..=END), marks.get(marks.len() - END - 1..)) else {
        return Err(format!("{} turns are too few", marks.len()).into());
    };
    let time = |from: &(Instant, u64), to: &(Instant, u64)| per((to.0 - from.0).as_nanos(), 1);
    let bytes = |from: &(Instant, u64), to: &(Instant, u64)| per((to.1 - from.1).into(), 1);
    let (times, stored) = match name {
        "memory" => ("react, memory: time of the last hundred turns", "react, memory: bytes of the last hundred turns"),
        _ => ("react, sqlite: time of the last hundred turns", "react, sqlite: bytes of the last hundred turns"),
    };
    report.at_most(times, time(last, last_end) / time(first, first_end), "times the first", 1.5)?;
    report.at_most(stored, bytes(last, last_end) / bytes(first, first_end), "times the first", 1.5)?;
    Ok(())
}

fn mark(marks: &Marks, meter: &Meter) {
    marks.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), meter.bytes()));
}

fn line(
    report: &mut Report,
    workload: &'static str,
    params: Value,
    steps: u64,
    time: Duration,
    allocations: Option<u64>,
    bytes_stored: u64,
) -> Result<(), BoxError> {
    let ns_per_step = per(time.as_nanos(), steps);
    let allocs_per_step = allocations.map(|count| per(count.into(), steps));
    Ok(report.line(&Line { workload, params, steps, ns_per_step, allocs_per_step, bytes_stored })?)
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    bare(report)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder = Folder::new("react")?;
    runtime.block_on(async {
        long(report, "memory", Memory::new()).await?;
        long(report, "sqlite", Sqlite::open(folder.file("react.db")).await?).await
    })
}
