//! Threads that this build cannot go on with: refused with words, and left as they were.

use graphwright::prelude::*;
use graphwright::store::{Append, AppendTarget, Checkpointer, Head, NewRow, RowKind};
use graphwright::{CommitId, Place, QuestionId, Scope, ThreadId, Timestamp, TurnId};

use super::machine::{Deps, Log, Machine};

#[node]
fn other(_log: &Log) -> NodeResult<Log> {
    Ok(Log::update().rounds(1_u32))
}

graph! {
    pub(super) Another(Log, Deps) {
        start -> other -> end;
    }
}

/// The same name, a later version, without the place that the thread stands at.
pub(super) mod later {
    use super::super::machine::{Deps, Log};
    use super::other;
    graphwright::graph! {
        #[graph(version = 2)]
        pub(in super::super) Machine(Log, Deps) {
            start -> other -> end;
        }
    }
}

#[tokio::test]
async fn a_thread_of_another_graph() {
    let memory = Memory::new();
    Machine::app(Deps::default(), memory.clone()).thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let error = Another::app(Deps::default(), memory.clone()).thread("t").run(Log::update()).await.unwrap_err();
    assert_eq!(error.to_string(), "thread `t` was written by graph `Machine`, and this is `Another`");
    let another = Another::app(Deps::default(), memory).thread("t");
    let refused = [
        another.delete().await.map(drop),
        another.prune(9).await.map(drop),
        another.cancel().await.map(drop),
        another.drain().await.map(drop),
        another.abandon().await,
        another.status().await.map(drop),
        another.state().await.map(drop),
        another.state_at(1).await.map(drop),
        another.pending().await.map(drop),
        another.history().await.map(drop),
        another.explain().await.map(drop),
        another.fork(1, "u").await.map(drop),
        another.step().await.map(drop),
        another.proceed().await.map(drop),
        another.update_state(Place::<Another>::other, Log::update()).await.map(drop),
        another.reissue(QuestionId([7; 16]), None).await,
    ];
    for (nth, refused) in refused.into_iter().enumerate() {
        assert!(matches!(refused, Err(RunError::OtherGraph { .. })), "{nth}: {refused:?}");
    }
}

#[tokio::test]
async fn a_thread_whose_place_is_gone_and_one_of_a_newer_version() {
    let memory = Memory::new();
    let old = Machine::app(Deps::default(), memory.clone());
    old.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let new = later::Machine::app(Deps::default(), memory.clone());
    let error = new.thread("t").pending().await.map(|_| ()).unwrap_err();
    assert!(matches!(error, RunError::GraphChanged { .. }), "{error}");
    assert!(error.to_string().contains("`more`, which is no place of `Machine` now"), "{error}");
    assert!(old.thread("t").pending().await.is_ok(), "it is as it was");

    new.thread("u").run(Log::update()).await.unwrap().completed().unwrap();
    let error = old.thread("u").run(Log::update()).await.unwrap_err();
    assert!(error.to_string().contains("version 2 of the graph wrote the thread, and this is version 1"), "{error}");
}

/// Rows that a careful writer would not write: none may panic, each is a typed error that names the thread.
#[tokio::test]
async fn damaged_rows() {
    let bodies: Vec<Vec<u8>> = [
        &b""[..],
        b"\x01",
        b"\x02{}",
        b"\xff",
        b"\x01{",
        b"\x01null",
        b"\x01[]",
        b"\x01{\"next\":[{\"at\":\"nowhere\"}]}",
        b"\x01{\"next\":{\"at\":\"work\"}}",
        b"\x01{\"next\":[{\"taken\":[\"a->b\",1]}]}",
        b"\x01{\"next\":[{\"fork\":{\"fork\":\"start->all\",\"keys\":[\"a\",\"b\"]}}]}",
        b"\x01{\"next\":[{\"fork\":{\"fork\":\"start->all\",\"keys\":[\"a\"]}},{\"at\":\"work\"}]}",
        b"\x01{\"next\":[{\"mount\":[\"work\",null]},{\"at\":\"work\"}]}",
        b"\x01{\"next\":[{\"left\":[]}]}",
        b"\x01{\"next\":[\"arrived\",\"up\"]}",
        b"\x01{\"update\":{\"lines\":7}}",
        b"\x01{\"update\":{\"unknown\":7}}",
        b"\x01{\"next\":[{\"ended\":\"nowhere\"}]}",
        b"\x01{\"next\":5}",
        b"\x01{\"question\":{\"id\":\"x\",\"asked\":1}}",
        b"\x01\xc3\x28",
        b"\x01{\"update\":{\"rounds\":99999999999999999999}}",
    ]
    .iter()
    .map(|body| body.to_vec())
    .chain([[&b"\x01"[..], "[".repeat(100_000).as_bytes()].concat()])
    .collect();
    let mut checked = 0;
    for body in bodies {
        let memory = Memory::new();
        let graph = graphwright::store::GraphRef { name: "Machine".into(), version: 1, fingerprint: [0; 32] };
        let turn = TurnId([1; 16]);
        let row = NewRow {
            kind: RowKind::Input,
            turn,
            run: None,
            path: String::new(),
            ord: 0,
            place: String::new(),
            at: Timestamp(1),
            body: body.clone(),
        };
        let head = Head { status: graphwright::store::Status::Stopped, run: None, worker: None, turn, graph, at: Timestamp(1) };
        let target = AppendTarget::New { scope: Scope::root(), name: ThreadId::new("t").unwrap(), over: None };
        let append = Append {
            target,
            commit: CommitId([2; 16]),
            rows: vec![row],
            head,
            opens: vec![],
            shuts: vec![],
            snapshot: None,
            request: None,
        };
        if memory.append(append).await.is_err() {
            continue;
        }
        let app = Machine::app(Deps::default(), memory);
        let shown: String = String::from_utf8_lossy(&body).chars().take(60).collect();
        for error in
            [app.thread("t").state().await.err(), app.thread("t").proceed().await.err(), app.thread("t").run(Log::update()).await.err()]
        {
            match error.unwrap_or_else(|| panic!("{shown}: taken for good")) {
                RunError::Store(graphwright::store::StoreError::Corrupt { thread, .. }) => assert_eq!(thread, "t"),
                RunError::GraphChanged { .. } => {}
                other => panic!("{shown}: {other}"),
            }
        }
        checked += 1;
    }
    assert!(checked > 12, "{checked}");
}

/// A question that can be written, and panics when it is read.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sealed;

impl<'de> Deserialize<'de> for Sealed {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("told to panic")
    }
}

pub(super) struct Unseal;

#[node]
impl Interrupt<Log, Deps> for Unseal {
    type Question = Sealed;
    type Answer = u32;

    async fn ask(_: &Log, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Sealed))
    }

    fn resume(_: &Log, _: &Sealed, _: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().rounds(1_u32))
    }
}

graph! {
    pub(super) Letter(Log, Deps) {
        start -> unseal -> end;
        unseal: Unseal;
    }
}

#[tokio::test]
async fn a_question_that_panics_when_it_is_read_is_refused_with_words() {
    let thread = Letter::app(Deps::default(), Memory::new()).thread("t");
    let read = [thread.run(Log::update()).await.map(drop), thread.pending().await.map(drop), thread.proceed().await.map(drop)];
    for refused in read {
        let error = refused.unwrap_err();
        assert!(matches!(error, RunError::GraphChanged { .. }), "{error}");
        assert!(error.to_string().contains("reading the stored question panicked: told to panic"), "{error}");
    }
    assert_eq!(thread.status().await.unwrap(), Some(graphwright::store::Status::Paused), "it is there all the same");
    thread.abandon().await.unwrap();
}
