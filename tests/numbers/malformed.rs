//! What models send that is no call of a tool (F56): each such call has a result that says so, the turn comes to its end,
//! and the thread takes the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graphwright::agent::{
    Conversation, Message, Model, RawCall, Reply, Scripted, ToolStatus, Toolset, ask_user_pending, close_repeating, elicitation, tool_calls,
};
use graphwright::prelude::*;
use serde_json::{Value, json};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Desk {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Clone)]
struct Deps {
    model: Model,
    tools: Toolset<Deps>,
    paid: Arc<AtomicUsize>,
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Refund {
    order: u32,
    cents: u64,
}

/// Pays the money back.
#[tool]
async fn refund(args: Refund, cx: &Context<Deps>) -> Result<u64, ToolError> {
    let _ = args.order;
    cx.deps().paid.fetch_add(1, Ordering::SeqCst);
    Ok(args.cents)
}

/// Looks something up.
#[tool]
fn lookup() -> Result<String, ToolError> {
    Ok("found".to_owned())
}

#[node(model, asks)]
async fn react(desk: &Desk, cx: &Context<Deps>) -> NodeResult<Desk> {
    let reply = cx.deps().model.chat(&desk.talk).tools(&cx.deps().tools).ask_user().send(cx).await?;
    Ok(Desk::update().talk(reply))
}

#[node(tools)]
async fn run_tools(desk: &Desk, cx: &Context<Deps>) -> NodeResult<Desk> {
    Ok(Desk::update().talk(cx.deps().tools.call_open(&desk.talk, cx).await))
}

graph! {
    Shop(Desk, Deps) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match tool_calls { Finish => end, Continue => run_tools, Repeating => close_repeating };
        elicitation | run_tools -> react;
        close_repeating -> end repeating;
    }
}

fn question() -> Value {
    json!({"question": "Which mug?", "header": "Mug", "options": [
        {"label": "Red", "description": "the red one"}, {"label": "Blue", "description": "the blue one"}]})
}

fn asks(questions: impl Into<Value>) -> String {
    json!({"request": {"questions": questions.into()}}).to_string()
}

/// What no text of arguments may be, for any tool.
fn no_json() -> Vec<String> {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let texts = [
        "not json",
        "{",
        "}",
        "{\"order\":1,\"cents\":1",
        "{} {}",
        "{}{}",
        "{'order': 1}",
        "\u{feff}{}",
        "{\"a\":1e999}",
        "{\"a\":NaN}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\u{1}\"}",
        "{\"a\":1,}",
        "[1,]",
        "{\"a\" 1}",
        "nul",
        "undefined",
        "<tool/>",
        "```json\n{}\n```",
        "{\"order\":1,\"order\":2,\"cents\":1}",
        "{\"a\":{\"b\":1,\"b\":2}}",
        "{\"request\":{},\"request\":{}}",
        "\"",
        "\\",
        "0x10",
        "\u{0}",
    ];
    let mut all: Vec<String> = texts.map(str::to_owned).into();
    all.extend([deep(101), deep(100_000), "{\"a\":".repeat(50_000), format!("\"{}\"", "x".repeat(300_000)), "é".repeat(200_000)]);
    all
}

/// Arguments that `refund` does not take.
fn no_refund() -> Vec<String> {
    let mut all = no_json();
    let values = [json!(null), json!(-1), json!(1.5), json!("1"), json!(true), json!([]), json!([1]), json!({}), json!(1e300)];
    for value in &values {
        all.push(json!({"order": value, "cents": 1}).to_string());
        all.push(json!({"order": 1, "cents": value}).to_string());
        all.push(json!({"order": value, "cents": value}).to_string());
        all.push(json!([value]).to_string());
    }
    all.push(json!({"order": 4_294_967_296_u64, "cents": 1}).to_string());
    all.push("{\"order\":1,\"cents\":18446744073709551616}".to_owned());
    for extra in ["id", "question_id", "run_id", "tool_call_id", "approved", "__interrupt__", "_ask_user_pending", "t", "v", "\u{0}"] {
        all.push(json!({"order": 1, "cents": 1, extra: "c0"}).to_string());
    }
    all.extend(["", "  ", "null", "7", "\"x\"", "true", "[]", "{}", "{\"order\":1}", "{\"cents\":1}"].map(str::to_owned));
    all
}

/// Arguments that `ask_user` does not take.
fn no_question() -> Vec<String> {
    let mut all = no_json();
    all.extend(
        ["", "null", "7", "\"Which?\"", "[]", "{}", "{\"request\":null}", "{\"request\":[]}", "{\"request\":{}}"].map(str::to_owned),
    );
    for questions in
        [json!(null), json!({}), json!("Which?"), json!(7), json!([]), json!([null]), json!([7]), json!([[]]), json!(["Which?"])]
    {
        all.push(asks(questions));
    }
    for count in [5, 6, 100, 10_000] {
        all.push(asks(vec![question(); count]));
    }
    let with = |field: &str, value: Value| {
        let mut question = question();
        question[field] = value;
        asks(json!([question]))
    };
    for value in [
        json!(null),
        json!(7),
        json!(true),
        json!([]),
        json!({}),
        json!(""),
        json!("?"),
        json!("x".repeat(501)),
        json!("x".repeat(100_000)),
    ] {
        all.push(with("question", value));
    }
    for value in [json!(7), json!([]), json!({}), json!("thirteen long"), json!("x".repeat(100_000))] {
        all.push(with("header", value));
    }
    let option = |label: &str| json!({"label": label, "description": "so"});
    let options = [
        json!(null),
        json!(7),
        json!("Red"),
        json!({}),
        json!([]),
        json!([option("Red")]),
        json!(["Red", "Blue"]),
        json!([option("Red"), option("Red")]),
        json!([option("Red"), option(" Red ")]),
        json!([option("Red"), option("")]),
        json!([option("Red"), option("  ")]),
        json!([option("Red"), option(&"x".repeat(81))]),
        json!([option("Red"), {"label": "Blue"}]),
        json!([option("Red"), {"description": "so"}]),
        json!([option("Red"), {"label": 7, "description": "so"}]),
        json!([option("Red"), null]),
        json!((0..5).map(|n| option(&n.to_string())).collect::<Vec<_>>()),
        json!((0..10_000).map(|n| option(&n.to_string())).collect::<Vec<_>>()),
    ];
    all.extend(options.map(|options| with("options", options)));
    all
}

const NO_TOOLS: &[&str] = &[
    "",
    "nothing",
    "Refund",
    "REFUND",
    "refund2",
    "refund ",
    "re fund",
    "refund\u{0}",
    "refund\u{200b}",
    "ref\u{443}nd",
    "ASK_USER",
    "askuser",
    "ask_user ",
    "ask-user",
    "__interrupt__",
    "elicitation",
    "react",
    "run_tools",
    "../refund",
    "refund/..",
    "tool.refund",
    "😀",
    "\u{202e}dnufer",
];

/// How the call comes: its id, and what comes with it.
const IDS: &[Option<&str>] = &[None, Some(""), Some("c"), Some("call_1"), Some("\u{0}\n"), Some("ünïcode")];

/// A reply, and how many of its calls are malformed.
struct Sent {
    reply: Reply,
    malformed: usize,
}

/// Each of the curated texts in several shapes: alone, beside a sound call, twice under one id, with text.
fn curated() -> Vec<Sent> {
    let bad = |name: &str, id: Option<&str>, arguments: &str| RawCall {
        id: id.map(str::to_owned),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let huge = |arguments: &str| arguments.len() > 10_000;
    let mut bads: Vec<(&str, String)> = no_refund().into_iter().map(|arguments| ("refund", arguments)).collect();
    bads.extend(no_question().into_iter().map(|arguments| ("ask_user", arguments)));
    bads.extend(NO_TOOLS.iter().flat_map(|name| ["{}", "{\"order\":1,\"cents\":1}"].map(|arguments| (*name, arguments.to_owned()))));
    bads.push((Box::leak("x".repeat(100_000).into_boxed_str()), "{}".to_owned()));
    let mut sent = Vec::new();
    for (nth, (name, arguments)) in bads.iter().enumerate() {
        let id = IDS[nth % IDS.len()];
        let mut alone = Reply::text("");
        alone.calls.push(bad(name, id, arguments));
        let mut beside = Reply::text("I look it up.").call("lookup", json!({}));
        beside.calls.push(bad(name, id, arguments));
        let mut twice = Reply::text("");
        twice.calls.extend([bad(name, Some("same"), arguments), bad(name, Some("same"), arguments)]);
        sent.push(Sent { reply: alone, malformed: 1 });
        sent.push(Sent { reply: beside, malformed: 1 });
        if !huge(arguments) {
            sent.push(Sent { reply: twice, malformed: 2 });
        }
    }
    sent
}

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    /// Sound arguments of a few bytes less, more, or others: broken JSON in any case.
    fn broken(&mut self, sound: &str) -> String {
        loop {
            let mut text: Vec<char> = sound.chars().collect();
            for _ in 0..=self.roll(4) {
                if text.is_empty() {
                    break;
                }
                let at = self.roll(text.len());
                match self.roll(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, ['"', '{', '}', '[', ',', '\\', '\u{0}', '🦀'][self.roll(8)]),
                    _ => text.truncate(at.max(1)),
                }
            }
            let text: String = text.into_iter().collect();
            if serde_json::from_str::<Value>(&text).is_err() && !text.trim().is_empty() {
                return text;
            }
        }
    }
}

fn generated(count: usize) -> Vec<Sent> {
    let mut dice = Dice(11);
    let sound = [("refund", json!({"order": 1, "cents": 1}).to_string()), ("ask_user", asks(json!([question()])))];
    let one = |_| {
        let mut reply = Reply::text("");
        for _ in 0..=dice.roll(3) {
            let (name, sound) = &sound[dice.roll(2)];
            let id = IDS[dice.roll(IDS.len())].map(str::to_owned);
            reply.calls.push(RawCall { id, name: (*name).to_owned(), arguments: dice.broken(sound) });
        }
        Sent { malformed: reply.calls.len(), reply }
    };
    (0..count).map(one).collect()
}

/// Sends all of them, each on a thread of its own. Gives how many malformed calls there were and how many the model was told of,
/// and what was paid.
async fn attack(sent: Vec<Sent>) -> (usize, usize, usize) {
    let sent = Arc::new(sent);
    let says = sent.clone();
    let model = Scripted::by(move |request| match request.messages().next_back() {
        Some(Message::User { text, .. }) => text.parse::<usize>().map_or_else(|_| Reply::text("bye"), |nth| says[nth].reply.clone()),
        _ => Reply::text("done"),
    });
    let deps = Deps { model: Model::new(model), tools: toolset![refund, lookup].unwrap(), paid: Arc::default() };
    let app = Shop::app(deps.clone(), Memory::new());
    let (mut calls, mut told) = (0, 0);
    for (nth, Sent { reply, malformed }) in sent.iter().enumerate() {
        let thread = app.thread(format!("t{nth}"));
        let what = || {
            format!(
                "{nth}: {:.200}",
                reply.calls.iter().map(|call| format!("{} {}", call.name, call.arguments)).collect::<Vec<_>>().join(" ")
            )
        };
        let done = thread.run(nth.to_string().as_str()).await.unwrap_or_else(|error| panic!("{}: {error}", what()));
        let done = done.completed().unwrap_or_else(|| panic!("{}: somebody is asked", what()));
        let messages: Vec<&Message> = done.output.talk.messages().collect();
        let results: Vec<_> =
            messages.iter().filter_map(|message| if let Message::Tool(result) = message { Some(result) } else { None }).collect();
        let refused = results.iter().filter(|result| matches!(result.status, ToolStatus::Rejected | ToolStatus::Error)).count();
        assert_eq!((results.len(), refused), (reply.calls.len(), *malformed), "{}: {results:?}", what());
        assert!(results.iter().all(|result| !result.content.is_empty() && result.content.len() < 2_000), "{}", what());
        assert!(matches!(messages.last(), Some(Message::Assistant { text, calls }) if text == "done" && calls.is_empty()), "{}", what());
        let again = thread.run("again").await.unwrap().completed();
        assert!(again.is_some(), "{}: the thread takes no other turn", what());
        calls += malformed;
        told += refused;
    }
    (calls, told, deps.paid.load(Ordering::SeqCst))
}

#[tokio::test]
async fn every_malformed_call_becomes_a_message_and_the_thread_lives_on() {
    let (curated, generated) = (curated(), generated(1_000));
    let (of_list, of_dice) = (curated.len(), generated.len());
    let (calls, told, paid) = attack(curated.into_iter().chain(generated).collect()).await;
    println!("{of_list} replies of a list and {of_dice} of chance, {calls} malformed calls, {told} told to the model");
    assert!(of_list >= 500 && of_dice >= 500 && calls >= 1_000 && told == calls);
    assert_eq!(paid, 0, "nothing was paid");
}

/// Planted: a malformed call that runs as if it were none.
#[tokio::test]
#[should_panic(expected = "0: refund")]
async fn a_call_that_runs_is_caught() {
    attack(vec![Sent { reply: Reply::text("").call("refund", json!({"order": 1, "cents": 1})), malformed: 1 }]).await;
}
