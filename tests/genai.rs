//! The adapter on `genai`, against a server that says what a test wants it to say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::Recorder;
use graphwright::agent::{GenaiModel, Message, Model, ModelError, NoArgs, Reply, ToolError, Toolset};
use graphwright::{Class, Context, EventKind, Mark, Usage, tool, toolset};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// A request as it came: the head as text, the body as JSON.
type Request = (String, Value);

/// An HTTP server that gives the same answer to everybody.
struct Server {
    url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// What the server does after the answer.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    Close,
    Hang,
}

impl Server {
    async fn start(answer: String, then: Then) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let heard = requests.clone();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let (heard, answer) = (heard.clone(), answer.clone());
                tokio::spawn(async move {
                    let request = read(&mut socket).await;
                    heard.lock().unwrap().push(request);
                    socket.write_all(answer.as_bytes()).await.unwrap();
                    if then == Then::Hang {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        Self { url, requests }
    }

    /// Server-sent events, one for each line.
    async fn streaming(lines: &[Value]) -> Self {
        let lines: Vec<String> = lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), str::to_owned)).collect();
        Self::start(events(&lines), Then::Close).await
    }

    async fn failing(status: &str, headers: &str, body: &str) -> Self {
        Self::start(format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()), Then::Close)
            .await
    }

    fn model(&self) -> Model {
        Model::new(GenaiModel::new("tiny").base_url(&self.url).api_key("sk-secret"))
    }

    async fn chat(&self) -> Result<Reply, ModelError> {
        self.model().chat(&[user("hi")]).send(&Context::test(())).await
    }

    fn request(&self) -> Request {
        self.requests.lock().unwrap().last().cloned().expect("nobody asked the server")
    }
}

fn events(lines: &[String]) -> String {
    let body: String = lines.iter().map(|line| format!("data: {line}\n\n")).collect();
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{body}")
}

async fn read(socket: &mut TcpStream) -> Request {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.trim().parse().unwrap());
            if body.len() >= length {
                return (head, serde_json::from_str(body).unwrap());
            }
        }
        let mut more = [0; 4096];
        match socket.read(&mut more).await.unwrap() {
            0 => panic!("the request broke off"),
            n => bytes.extend_from_slice(&more[..n]),
        }
    }
}

fn user(text: &str) -> Message {
    serde_json::from_value(json!({ "role": "user", "text": text })).unwrap()
}

fn delta(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn stop(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

fn piece(index: u32, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
    delta(json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }))
}

#[tokio::test]
async fn b105_text_is_streamed_with_usage_and_the_real_reason() {
    let server = Server::streaming(&[
        delta(json!({ "role": "assistant", "reasoning_content": "hm" })),
        delta(json!({ "content": "Grüß " })),
        delta(json!({ "content": "Gott" })),
        stop("length"),
        json!({ "choices": [], "usage": { "prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14 } }),
        json!("[DONE]"),
    ])
    .await;
    let (recorder, cx) = Recorder::new(());
    let reply = server.model().chat(&[user("hi")]).system("Be kind.").send(&cx).await.unwrap();
    assert_eq!(reply.text, "Grüß Gott");
    assert_eq!((reply.stop.as_deref(), reply.usage), (Some("length"), Some(Usage::new(11, 3))));
    let expected = [
        EventKind::ModelStarted { model: "tiny".to_owned() },
        EventKind::ThinkingDelta { text: "hm".to_owned() },
        EventKind::TextDelta { text: "Grüß ".to_owned() },
        EventKind::TextDelta { text: "Gott".to_owned() },
        EventKind::Usage(Usage::new(11, 3)),
        EventKind::ModelEnded { model: "tiny".to_owned(), outcome: Mark::Completed, stop: Some("length".to_owned()) },
    ];
    assert_eq!(recorder.kinds(), expected);

    let (head, body) = server.request();
    assert!(head.starts_with("post /v1/chat/completions "), "{head}");
    assert!(head.contains("authorization: bearer sk-secret"), "{head}");
    assert_eq!((&body["model"], &body["stream"]), (&json!("tiny"), &json!(true)));
    assert_eq!(body["messages"], json!([{ "role": "system", "content": "Be kind." }, { "role": "user", "content": "hi" }]));
    assert!(body.get("tools").is_none());
}

#[tokio::test]
async fn b100_calls_come_in_pieces() {
    let server = Server::streaming(&[
        delta(json!({ "content": "Let me look." })),
        piece(0, Some("a1"), Some("look"), ""),
        piece(0, None, None, "{\"n\":"),
        piece(0, None, None, "7}"),
        delta(json!({ "content": "Both.", "tool_calls": [
            { "index": 1, "id": "b2", "function": { "name": "quote", "arguments": "{}" } },
            { "index": 2, "id": "b2", "function": { "name": "quote", "arguments": "{\"n\":" } },
        ] })),
        piece(2, None, None, "8}"),
        stop("tool_calls"),
        json!("[DONE]"),
    ])
    .await;
    let reply = server.chat().await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop.as_deref()), ("Let me look.Both.", Some("tool_calls")));
    let asked: Vec<(&str, &str)> = reply.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(asked, [("look", "{\"n\":7}"), ("quote", "{}"), ("quote", "{\"n\":8}")]);
    // What the server calls them says nothing: two of its names are one.
    let ids: HashSet<&str> = reply.calls.iter().filter_map(|call| call.id.as_deref()).collect();
    assert_eq!(ids.len(), 3, "one id for one call");
    assert!(ids.is_disjoint(&HashSet::from(["a1", "b2"])));
    assert_eq!(reply.usage, None);
}

/// Tells the time.
#[tool]
fn time(_args: NoArgs) -> Result<String, ToolError> {
    Ok("noon".to_owned())
}

#[tokio::test]
async fn tools_calls_and_results_reach_the_server() {
    let server = Server::streaming(&[delta(json!({ "content": "ok" })), stop("stop"), json!("[DONE]")]).await;
    let talk: Vec<Message> = serde_json::from_value(json!([
        { "role": "user", "text": "what time is it, twice?" },
        { "role": "assistant", "text": "Let me see.", "calls": [
            { "id": "a", "name": "time", "arguments": {} }, { "id": "b", "name": "time", "arguments": null }
        ] },
        { "role": "tool", "call": "a", "name": "time", "status": "ok", "content": "noon" },
        { "role": "tool", "call": "b", "name": "time", "status": "rejected", "content": "no JSON" },
        { "role": "assistant" },
    ]))
    .unwrap();
    let tools: Toolset<()> = toolset![time].unwrap();
    server.model().chat(&talk).tools(&tools).ask_user().send(&Context::test(())).await.unwrap();
    let (_, body) = server.request();
    let function = |name: &str| json!({ "name": name, "arguments": "{}" });
    let expected = json!([
        { "role": "user", "content": "what time is it, twice?" },
        { "role": "assistant", "content": "Let me see.", "tool_calls": [
            { "type": "function", "id": "a", "function": function("time") }, { "type": "function", "id": "b", "function": function("time") }
        ] },
        { "role": "tool", "tool_call_id": "a", "content": "noon" },
        { "role": "tool", "tool_call_id": "b", "content": "no JSON" },
    ]);
    assert_eq!(body["messages"], expected);
    let names: Vec<&str> = body["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["time", "ask_user"]);
    assert_eq!(body["tools"][0]["function"]["description"], "Tells the time.");
    assert_eq!(body["tools"][0]["function"]["parameters"]["type"], "object");
}

#[tokio::test]
async fn every_status_is_an_error_of_its_class_without_the_key() {
    let body = json!({ "error": { "message": "the key sk-secret\u{1b}[31m is bad" } }).to_string();
    type Check = fn(&ModelError) -> bool;
    let cases: [(&str, &str, Check, Class); 8] = [
        ("401 Unauthorized", "", |e| matches!(e, ModelError::Unauthorized { .. }), Class::Fatal),
        ("403 Forbidden", "", |e| matches!(e, ModelError::Unauthorized { .. }), Class::Fatal),
        ("404 Not Found", "", |e| matches!(e, ModelError::Refused { status: 404, .. }), Class::Fatal),
        ("400 Bad Request", "", |e| matches!(e, ModelError::Refused { status: 400, .. }), Class::Fatal),
        (
            "307 Temporary Redirect",
            "location: http://127.0.0.1:9/\r\n",
            |e| matches!(e, ModelError::Refused { status: 307, .. }),
            Class::Fatal,
        ),
        (
            "429 Too Many Requests",
            "retry-after: 7\r\n",
            |e| matches!(e, ModelError::RateLimited { retry_after: Some(wait), .. } if wait.as_secs() == 7),
            Class::Transient,
        ),
        ("500 Internal Server Error", "", |e| matches!(e, ModelError::Server { status: 500, .. }), Class::Transient),
        ("529 Overloaded", "", |e| matches!(e, ModelError::Server { status: 529, .. }), Class::Transient),
    ];
    for (status, headers, check, class) in cases {
        let error = Server::failing(status, headers, &body).await.chat().await.unwrap_err();
        assert!(check(&error), "{status}: {error:?}");
        assert_eq!(error.class(), class, "{status}");
        let texts = format!("{error} {error:?}");
        assert!(!texts.contains("sk-secret") && !texts.contains('\u{1b}'), "{status}: {texts}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_an_error() {
    type Check = fn(&ModelError) -> bool;
    let text = delta(json!({ "content": "x" }));
    let cases: [(&str, Vec<Value>, Check); 6] = [
        ("no JSON", vec![text.clone(), json!("{\"choices\": [")], |e| matches!(e, ModelError::Malformed { .. })),
        ("not a word", vec![json!("hello")], |e| matches!(e, ModelError::Malformed { .. })),
        ("an error in the stream", vec![json!({ "error": { "message": "out of cards" } })], |e| e.to_string().contains("out of cards")),
        ("no end", vec![text.clone(), stop("stop")], |e| matches!(e, ModelError::CutOff { .. })),
        ("nothing", vec![], |e| matches!(e, ModelError::CutOff { .. })),
        ("other JSON", vec![json!([1, 2]), json!({ "choices": 7 }), json!(null)], |e| matches!(e, ModelError::CutOff { .. })),
    ];
    for (name, lines, check) in cases {
        let error = Server::streaming(&lines).await.chat().await.unwrap_err();
        assert!(check(&error), "{name}: {error:?}");
    }
}

#[tokio::test]
async fn odd_parts_are_taken_or_left_without_harm() {
    let odd = [
        delta(json!({ "tool_calls": "x" })),
        delta(json!({ "tool_calls": [{ "index": -1 }, { "function": {} }, 7] })),
        delta(json!({ "content": 7 })),
        json!({ "choices": [], "usage": { "prompt_tokens": -5, "completion_tokens": "x" } }),
        piece(0, Some(""), Some("look"), "{not json"),
        piece(9, None, None, "}"),
        json!("[DONE]"),
    ];
    let reply = Server::streaming(&odd).await.chat().await.unwrap();
    assert_eq!(reply.calls.len(), 1);
    assert!(reply.calls[0].id.as_ref().is_some_and(|id| !id.is_empty()));
    assert_eq!(reply.calls[0].arguments, "{not json}");
}

#[tokio::test]
async fn nobody_there_is_transient_and_names_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let model = Model::new(GenaiModel::new("tiny").base_url(format!("http://me:password@127.0.0.1:{port}/v1/")));
    let error = model.chat(&[user("hi")]).send(&Context::test(())).await.unwrap_err();
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error:?}");
    assert_eq!(error.class(), Class::Transient);
    assert!(!format!("{error} {error:?} {model:?}").contains("password"));
}

#[tokio::test]
async fn an_address_that_is_none_is_fatal() {
    for url in ["", "nonsense", "http://", "ftp://127.0.0.1/"] {
        let model = Model::new(GenaiModel::new("tiny").base_url(url));
        let error = model.chat(&[user("hi")]).send(&Context::test(())).await.unwrap_err();
        assert_eq!(error.class(), Class::Fatal, "{url}: {error:?}");
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_times_out() {
    for answer in [String::new(), events(&[delta(json!({ "content": "x" })).to_string()])] {
        let server = Server::start(answer, Then::Hang).await;
        let model = Model::new(GenaiModel::new("tiny").base_url(&server.url).max_silence(Duration::from_millis(50)));
        let error = model.chat(&[user("hi")]).send(&Context::test(())).await.unwrap_err();
        assert!(matches!(error, ModelError::TimedOut { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_of_ones_own_gets_no_key_of_the_environment() {
    let server = Server::streaming(&[stop("stop"), json!("[DONE]")]).await;
    let model = Model::new(GenaiModel::new("tiny").base_url(&server.url));
    model.chat(&[user("hi")]).send(&Context::test(())).await.unwrap();
    assert!(server.request().0.contains("authorization: bearer none"));
}

#[tokio::test]
async fn a_missing_key_says_which_variable() {
    // No network: the key is looked for first.
    let model = Model::new(GenaiModel::new("requesty::some/model"));
    let error = model.chat(&[user("hi")]).send(&Context::test(())).await.unwrap_err();
    assert!(matches!(error, ModelError::Unauthorized { .. }), "{error:?}");
    assert!(error.to_string().contains("REQUESTY_API_KEY"), "{error}");
}

#[test]
fn a_model_shows_no_key() {
    let model = GenaiModel::new("tiny").api_key("sk-secret").base_url("http://me:password@127.0.0.1/");
    let shown = format!("{model:?}");
    assert!(shown.contains("tiny") && !shown.contains("secret") && !shown.contains("password"), "{shown}");
}
