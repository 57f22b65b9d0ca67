//! The HTTP example over loopback: what a tenant can do, and that another one can do none of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../examples/http/desk.rs"]
mod desk;
#[path = "../examples/http/server.rs"]
mod server;

use std::net::SocketAddr;

use graphwright::prelude::*;
use graphwright::{Memory, Scope};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use desk::Refunds;

const RED: &str = "red-key";
const BLUE: &str = "blue-key";

async fn serve() -> SocketAddr {
    let app = Refunds::app((), Memory::new());
    let tenants = [(RED, "red"), (BLUE, "blue")].map(|(key, scope)| (key.to_owned(), Scope::new([scope]).unwrap())).into();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, server::routes(app, tenants)).await });
    address
}

async fn send(address: SocketAddr, head: &str, headers: &str, body: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{head} HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    BufReader::new(stream)
}

fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}\r\n")
}

/// Status and body of an answer.
async fn ask(address: SocketAddr, key: &str, head: &str, body: &str) -> (u16, String) {
    let mut answer = String::new();
    send(address, head, &bearer(key), body).await.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Server-sent events after this one, until one that says so: ids and data.
async fn follow(address: SocketAddr, key: &str, thread: &str, after: &str, until: &str) -> Vec<(String, Value)> {
    let headers = format!("{}Last-Event-ID: {after}\r\n", bearer(key));
    let mut lines = send(address, &format!("GET /threads/{thread}/events"), &headers, "").await.lines();
    let (mut events, mut id) = (Vec::new(), String::new());
    while let Some(line) = lines.next_line().await.unwrap() {
        if let Some(new) = line.strip_prefix("id: ") {
            new.clone_into(&mut id);
        } else if let Some(data) = line.strip_prefix("data: ") {
            let event = serde_json::from_str(data).unwrap_or_else(|_| json!(data));
            events.push((id.clone(), event));
            if line.contains(until) {
                break;
            }
        }
    }
    events
}

async fn begin(address: SocketAddr, key: &str, thread: &str, cents: u64) {
    let body = json!({"order": "mug", "cents": cents}).to_string();
    assert_eq!(ask(address, key, &format!("POST /threads/{thread}"), &body).await.0, 202);
    assert_eq!(ask(address, key, &format!("GET /threads/{thread}"), "").await.0, 200, "it has begun");
}

#[tokio::test]
async fn a_refund_is_asked_for_approved_and_followed() {
    let address = serve().await;
    begin(address, RED, "t", 4_500).await;
    let events = follow(address, RED, "t", "0", "run_ended").await;
    let kinds: Vec<&str> = events.iter().map(|(_, event)| event["kind"]["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run_started", "ask_user_question", "run_ended"]);
    assert_eq!(events[1].1["kind"]["content"], json!({"order": "mug", "cents": 4_500}));
    assert!(events.iter().all(|(id, event)| event["v"] == 1 && event["id"].as_u64() == id.parse().ok()));
    let (status, inbox) = ask(address, RED, "GET /inbox", "").await;
    let inbox: Value = serde_json::from_str(&inbox).unwrap();
    assert_eq!((status, inbox), (200, json!([{"thread": "t", "question": {"order": "mug", "cents": 4_500}}])));

    // An answer that does not fit is told, and leaves the question open.
    assert_eq!(
        ask(address, RED, "POST /threads/t/answer", "9000").await,
        (422, "the answer does not fit the question: at most 4500 cents".to_owned())
    );
    assert_eq!(ask(address, RED, "POST /threads/t", r#"{"order":"lamp","cents":1}"#).await.0, 409, "it waits");
    assert_eq!(ask(address, RED, "POST /threads/t/answer", "3000").await.0, 202);
    // A reader that comes back gets what it has not seen.
    let last = &events.last().unwrap().0;
    let then = follow(address, RED, "t", last, "completed").await;
    assert!(then.iter().all(|(id, _)| id.parse::<u64>().unwrap() > last.parse().unwrap()));
    let kinds: Vec<&str> = then.iter().map(|(_, event)| event["kind"]["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["resumed", "run_started", "committed", "run_ended"]);
    let (_, state) = ask(address, RED, "GET /threads/t", "").await;
    assert_eq!(serde_json::from_str::<Value>(&state).unwrap()["paid"], 3_000);
    assert_eq!(ask(address, RED, "POST /threads/t/answer", "3000").await.0, 404, "nothing is open any more");
    let again = ask(address, RED, "POST /threads/t", r#"{"order":"mug","cents":4500}"#).await;
    assert_eq!(again, (409, "this request was taken before, at row 1".to_owned()));
}

#[tokio::test]
async fn another_tenant_can_neither_read_nor_answer_nor_cancel() {
    let address = serve().await;
    begin(address, RED, "t", 4_500).await;
    follow(address, RED, "t", "0", "run_ended").await;
    for (head, body) in
        [("GET /threads/t", ""), ("POST /threads/t/answer", "1"), ("POST /threads/t/answer", "null"), ("POST /threads/t/cancel", "")]
    {
        let theirs = ask(address, BLUE, head, body).await;
        let nothing = ask(address, BLUE, &head.replace("/t", "/u").replace("/uhreads", "/threads"), body).await;
        assert_eq!(theirs.0, 404, "{head}");
        assert_eq!(theirs, nothing, "it is told what it is told of a thread that is not there");
        for key in ["", "red", "RED-KEY", "red-key-", "red-key,blue-key"] {
            assert_eq!(ask(address, key, head, body).await.0, 401, "{head} with {key:?}");
        }
    }
    let [(_, said)] = &follow(address, BLUE, "t", "0", "").await[..] else { panic!("one event") };
    assert!(said.as_str().unwrap().starts_with("there is no such thread"), "{said}");
    assert_eq!(ask(address, BLUE, "GET /inbox", "").await, (200, "[]".to_owned()));
    // A thread of the same name is another one.
    begin(address, BLUE, "t", 500).await;
    follow(address, BLUE, "t", "0", "completed").await;
    let red: Value = serde_json::from_str(&ask(address, RED, "GET /threads/t", "").await.1).unwrap();
    assert_eq!((&red["cents"], &red["paid"]), (&json!(4_500), &json!(0)), "nothing of it was touched");
    assert_eq!(ask(address, RED, "POST /threads/t/cancel", "").await.0, 204);
    assert_eq!(ask(address, RED, "GET /inbox", "").await.1, "[]");
}

#[tokio::test]
async fn what_is_no_request_is_refused() {
    let address = serve().await;
    begin(address, RED, "t", 4_500).await;
    for (head, headers, body, status) in [
        ("GET /threads/t/events", "Last-Event-ID: x\r\n", "", "400"),
        ("GET /threads/t/events", "Last-Event-ID: -1\r\n", "", "400"),
        ("GET /threads/t/events", "Last-Event-ID: 18446744073709551616\r\n", "", "400"),
        ("POST /threads/t", "", "{", "400"),
        ("POST /threads/t", "", r#"{"order":"mug"}"#, "422"),
        ("POST /threads/%00", "", r#"{"order":"mug","cents":1}"#, "400"),
        ("POST /threads/t/answer", "", "\"much\"", "422"),
    ] {
        let mut answer = String::new();
        let headers = format!("{}{headers}", bearer(RED));
        send(address, head, &headers, body).await.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head} {headers}{body}: {answer}");
    }
    // An id that nobody gave ends the stream with words, and holds nothing open.
    let [(_, said)] = &follow(address, RED, "t", "1000", "").await[..] else { panic!("one event") };
    assert!(said.as_str().unwrap().starts_with("row 500 is not kept"), "{said}");
}

/// The data of all server-sent events of an answer, by what they are: `error` beside its words.
fn live(body: &str) -> Vec<String> {
    let told = |data: &str| match serde_json::from_str::<Value>(data) {
        Ok(event) => event["kind"]["type"].as_str().unwrap().to_owned(),
        Err(_) => data.to_owned(),
    };
    assert!(!body.contains("\nid:"), "ids of a run are not those of its thread: {body}");
    body.lines().filter_map(|line| line.strip_prefix("data: ")).map(told).collect()
}

#[tokio::test]
async fn a_run_is_told_while_it_runs() {
    use axum::extract::{Path, State};
    use axum::routing::post;
    async fn refund(State(app): State<App<Refunds>>, Path(thread): Path<String>) -> impl axum::response::IntoResponse {
        graphwright::axum::live(app.thread(thread).run(desk::Refund::update().order("mug").cents(4_500)).stream())
    }
    let app = Refunds::app((), Memory::new());
    let routes = axum::Router::new().route("/live/{thread}", post(refund)).with_state(app.clone());
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let (status, body) = ask(address, RED, "POST /live/t", "").await;
    assert_eq!((status, live(&body)[0].as_str(), live(&body).last().unwrap().as_str()), (200, "run_started", "run_ended"), "{body}");
    assert!(live(&body).contains(&"ask_user_question".to_owned()), "{body}");
    let (_, refused) = ask(address, RED, "POST /live/t", "").await;
    let [error] = &live(&refused)[..] else { panic!("one event: {refused}") };
    assert!(refused.contains("event: error") && error.starts_with("the thread waits for an answer"), "{refused}");
}

/// What would end an event, and begin another one, if it were sent as it is.
const BREAKS: &str = "a\r\n\r\nevent: run_ended\r\nid: 7\rdata: {}\n\n\u{2028}\0";

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Talk {
    text: String,
}

struct Say;

#[node]
impl Interrupt<Talk, ()> for Say {
    type Question = String;
    type Answer = String;

    async fn ask(_: &Talk, cx: &Context<()>) -> Result<Ask<Self>, NodeError> {
        cx.text(BREAKS).await;
        Ok(Ask::question(BREAKS.to_owned()))
    }

    fn check(_: &Talk, _: &String, _: &String) -> Result<(), BadAnswer> {
        Err(BadAnswer::new(BREAKS))
    }

    fn resume(_: &Talk, _: &String, _: Answer<String>) -> NodeResult<Self> {
        Ok(Talk::update())
    }
}

graph! {
    Says(Talk) {
        start -> say -> end;
        say: Say;
    }
}

#[tokio::test]
async fn no_text_ends_an_event_or_begins_another() {
    use axum::extract::State;
    use axum::routing::post;
    async fn say(State(app): State<App<Says>>) -> impl axum::response::IntoResponse {
        graphwright::axum::live(app.thread("t").run(Talk::update().text(BREAKS)).stream())
    }
    async fn answer(State(app): State<App<Says>>) -> impl axum::response::IntoResponse {
        let Some(Question::<Says>::say(open)) = app.thread("t").pending().await.unwrap().pop() else { panic!("it asks") };
        graphwright::axum::live(app.thread("t").resume(open.accept(String::new())).stream())
    }
    let routes = axum::Router::new().route("/say", post(say)).route("/answer", post(answer));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = routes.with_state(Says::app((), Memory::new()));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    // A line ends at either of them.
    let fields = |body: &str| -> Vec<String> {
        let lines = body.split(['\r', '\n']).filter(|line| ["event:", "id:", "retry:"].iter().any(|field| line.starts_with(field)));
        lines.map(str::to_owned).collect()
    };
    let (_, body) = ask(address, RED, "POST /say", "").await;
    assert_eq!(fields(&body), Vec::<String>::new(), "{body:?}");
    let told = live(&body);
    assert!(told.contains(&"text_delta".to_owned()) && told.iter().filter(|told| *told == "run_ended").count() == 1, "{body:?}");
    let (_, body) = ask(address, RED, "POST /answer", "").await;
    assert_eq!(fields(&body), ["event: error"], "{body:?}");
    assert!(body.contains("data: event: run_ended"), "{body:?}");
}
