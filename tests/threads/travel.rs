//! What a thread was, why it went where it went, and what it might be: history, explanation, state at a row, forks, edits.

use graphwright::prelude::*;
use graphwright::store::{Checkpointer, Row, RowKind, Status};
use graphwright::{Does, Place, Sqlite};

use super::machine::{Deps, Log, Machine, Order, lines, more};

type P = Place<Machine>;

/// The same on memory and on a file.
async fn on_both<F: Future<Output = ()>>(test: impl Fn(App<Machine>) -> F) {
    graphwright::__private::read_back();
    test(Machine::app(Deps::default(), Memory::new())).await;
    let folder = tempfile::tempdir().unwrap();
    test(Machine::app(Deps::default(), Sqlite::open(folder.path().join("t.db")).await.unwrap())).await;
}

/// A turn of two rounds and a question, which is declined.
async fn turn(app: &App<Machine>) -> graphwright::Thread<Machine> {
    let thread = app.thread("t");
    let paused = thread.run(Log::update().wanted(2_u32)).await.unwrap().paused().unwrap();
    thread.resume(more(paused.questions).decline()).await.unwrap().completed().unwrap();
    thread
}

#[tokio::test]
async fn a_history_prints_as_a_table_and_shows_nothing_of_the_state() {
    on_both(async |app| {
        let history = turn(&app).await.history().await.unwrap();
        let question = history.entries().find(|row| row.kind == RowKind::Park).unwrap().note;
        let table = format!(
            "\
row  kind    place  then  wrote          note
  1  input          work  wanted
  2  step    work   work  lines, rounds
  3  step    work   more  lines, rounds
  4  asks    more                        {question}
  5  answer  more   end   lines, wanted
"
        );
        assert_eq!(history.to_string(), table);
        assert!(question.starts_with("question q-") || question.starts_with("question "), "{question}");
        assert!(!format!("{history}").contains("round 1"));
    })
    .await;
}

#[tokio::test]
async fn a_history_is_read_in_pages_from_either_end() {
    on_both(async |app| {
        let thread = turn(&app).await;
        let seqs = |rows: &[Row]| rows.iter().map(|row| row.seq).collect::<Vec<_>>();
        let first = thread.history().limit(2).await.unwrap();
        assert_eq!(seqs(&first), [1, 2]);
        let next = thread.history().limit(2).after(first.next.unwrap()).await.unwrap();
        assert_eq!(seqs(&next), [3, 4]);
        let last = thread.history().after(next.next.unwrap()).await.unwrap();
        assert_eq!((seqs(&last), last.next), (vec![5], None));
        assert_eq!(seqs(&thread.history().newest(2).await.unwrap()), [4, 5]);
        assert_eq!(seqs(&thread.history().newest(usize::MAX).await.unwrap()), [1, 2, 3, 4, 5]);
        assert!(matches!(app.thread("nobody").history().await, Err(RunError::NoThread)));
    })
    .await;
}

#[tokio::test]
async fn an_explanation_says_where_and_why() {
    on_both(async |app| {
        let thread = app.thread("t");
        let paused = thread.run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap();
        let why = thread.explain().await.unwrap();
        assert_eq!((why.status, why.stands.len(), why.stands[0].place.as_str()), (Status::Paused, 1, "more"));
        assert!(matches!(why.stands[0].does, Does::Waits { question, .. } if question == paused.questions.iter().map(|q| {
            let super::machine::Q::more(open) = q else { unreachable!() };
            open.id()
        }).next().unwrap()));
        let said = |why: &graphwright::Explanation| {
            why.decided.iter().map(|way| format!("{} -> {}: {}", way.from, way.to, way.because.join(", "))).collect::<Vec<_>>()
        };
        assert_eq!(said(&why), ["start -> work: the way is always open", "work -> more: `next` said `Ask`"]);

        thread.resume(more(paused.questions).accept(1)).await.unwrap().paused().unwrap();
        let why = thread.explain().await.unwrap();
        assert_eq!(
            said(&why)[2..],
            ["more -> work: `enough` did not hold, so the way that is always open", "work -> more: `next` said `Ask`"]
        );
        assert!(why.to_string().contains("`t` of Machine waits for an answer\n  more: waits for an answer to "), "{why}");

        let failed = app.thread("failed");
        failed.run(Log::update().order(Order::Fail)).await.unwrap_err();
        let why = failed.explain().await.unwrap();
        assert_eq!(why.status, Status::Stopped);
        assert_eq!(why.stopped.as_deref(), Some("`work` failed: told to fail"));

        let lost = app.thread("lost");
        lost.run(Log::update().order(Order::Never)).await.unwrap_err();
        let why = lost.explain().await.unwrap();
        assert!(matches!(&why.stands[0].does, Does::Failed { error } if error.contains("`never`")), "{why}");
    })
    .await;
}

#[tokio::test]
async fn the_state_of_every_row_is_what_it_was() {
    on_both(async |app| {
        let thread = turn(&app).await;
        let mut rounds = Vec::new();
        for seq in 1..=5 {
            rounds.push(thread.state_at(seq).await.unwrap().rounds);
        }
        assert_eq!(rounds, [0, 1, 2, 2, 2]);
        assert_eq!(thread.state_at(5).await.unwrap(), thread.state().await.unwrap().unwrap());
        for seq in [0, 6, u64::MAX] {
            let error = thread.state_at(seq).await.unwrap_err();
            assert!(matches!(error, RunError::NoRow { first: 1, last: 5, .. }), "{error}");
        }
        assert!(matches!(app.thread("nobody").state_at(1).await, Err(RunError::NoThread)));
        let other = app.scope(graphwright::Scope::new(["other"]).unwrap());
        assert!(matches!(other.thread("t").state_at(1).await, Err(RunError::NoThread)), "of another tenant there is nothing");
    })
    .await;
}

#[tokio::test]
async fn a_fork_at_any_row_comes_to_the_same_end() {
    on_both(async |app| {
        let thread = turn(&app).await;
        let was = thread.state().await.unwrap().unwrap();
        let rows = thread.history().await.unwrap().rows;
        for seq in 1..=5_u64 {
            let fork = thread.fork(seq, format!("fork-{seq}")).await.unwrap();
            assert_eq!(fork.state().await.unwrap(), Some(thread.state_at(seq).await.unwrap()));
            let outcome = match fork.proceed().await.unwrap() {
                Outcome::Paused(paused) => fork.resume(more(paused.questions).decline()).await.unwrap(),
                other => other,
            };
            assert_eq!(outcome.completed().unwrap().output, was, "from row {seq}");
            let first = fork.history().await.unwrap().entries().next().unwrap();
            assert_eq!((first.kind, first.note), (RowKind::Origin, format!("from `t`, row {seq}")));
        }
        assert_eq!(thread.history().await.unwrap().rows, rows, "the first one is as it was");
        let error = thread.fork(2, "fork-1").await.unwrap_err();
        assert!(matches!(&error, RunError::Exists { thread } if thread.as_str() == "fork-1"), "{error}");
        assert!(matches!(thread.fork(9, "new").await.unwrap_err(), RunError::NoRow { seq: 9, .. }));
        assert!(matches!(thread.fork(1, "").await.unwrap_err(), RunError::Id(_)));
        // Neither its first one's deletion nor a name that was used before is in the way.
        assert!(thread.delete().await.unwrap());
        let fork = app.thread("fork-4").fork(1, "t").await.unwrap();
        assert_eq!(fork.status().await.unwrap(), Some(Status::Paused));
    })
    .await;
}

#[tokio::test]
async fn a_fork_asks_again_and_its_answers_are_its_own() {
    on_both(async |app| {
        let thread = app.thread("t");
        let asked = more(thread.run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap().questions);
        let fork = thread.fork(3, "fork").await.unwrap();
        let again = more(fork.pending().await.unwrap());
        assert_eq!(again.id(), asked.id());
        assert_eq!(app.pending().list().await.unwrap().waiting.len(), 2);
        // One key for a step of one thread, and another for the same step of its fork.
        fork.resume(again.accept(1)).await.unwrap().paused().unwrap();
        thread.resume(asked.decline()).await.unwrap().completed().unwrap();
        assert_eq!(fork.state().await.unwrap().unwrap().rounds, 2);
        assert_eq!(thread.state().await.unwrap().unwrap().rounds, 1);
    })
    .await;
}

#[tokio::test]
async fn an_edit_is_a_commit_as_if_the_place_had_done_it() {
    on_both(async |app| {
        let thread = app.thread("t");
        let asked = more(thread.run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap().questions);
        let seq = thread.update_state(P::work, Log::update().wanted(3_u32).lines(["edited"])).await.unwrap();
        assert_eq!((seq, thread.status().await.unwrap()), (4, Some(Status::Stopped)));
        let row = thread.history().newest(1).await.unwrap().entries().next().unwrap();
        assert_eq!((row.kind, row.place.as_str()), (RowKind::Edit, "work"));
        assert_eq!((row.then, row.wrote), (vec!["work".to_owned()], vec!["lines".to_owned(), "wanted".to_owned()]));
        // What was approved would not be what runs.
        let error = thread.answer(asked.decline()).await.unwrap_err();
        assert!(matches!(error, RunError::Superseded), "{error}");
        let again = more(thread.proceed().await.unwrap().paused().unwrap().questions);
        assert_eq!(again.question, "after 3 rounds, how many more?");
        let done = thread.resume(again.decline()).await.unwrap().completed().unwrap().output;
        assert_eq!(done.lines, ["round 1", "edited", "round 2", "round 3", "0 more"]);
        assert_eq!(thread.state_at(3).await.unwrap().lines, ["round 1"], "what was is what it was");

        // On a turn that is over, too; and the interrupt itself may have done it.
        thread.update_state(P::more, Log::update().wanted(4_u32)).await.unwrap();
        assert_eq!(thread.step().await.unwrap().stopped().unwrap().state.rounds, 4);
        thread.update_state(P::more, Log::update()).await.unwrap();
        assert_eq!(thread.status().await.unwrap(), Some(Status::Idle), "`enough` held");
        assert!(matches!(app.thread("nobody").update_state(P::work, Log::update()).await, Err(RunError::NoThread)));
    })
    .await;
}

#[tokio::test]
async fn an_edit_that_cannot_be_is_refused_and_nothing_is_written() {
    on_both(async |app| {
        let thread = app.thread("t");
        let _paused = thread.run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap();
        let rows = thread.history().await.unwrap().rows;
        let error = thread.update_state(P::work, Log::update().order(Order::Never)).await.unwrap_err();
        assert!(matches!(&error, RunError::NoWay { what } if what.contains("`never`")), "{error}");
        let error = thread.update_state(P::work, Log::update().order(Order::RouterPanics)).await.unwrap_err();
        assert!(matches!(error, RunError::Panicked { .. }), "{error}");
        let error = thread.update_state(P::work, Log::update()).choosing("Again").await.unwrap_err();
        assert!(matches!(&error, RunError::NoWay { what } if what == "`work` has no arm `Again`: it chooses nothing"), "{error}");
        assert_eq!(thread.history().await.unwrap().rows, rows);
        assert_eq!(thread.pending().await.unwrap().len(), 1, "the question is still open");

        let busy = app.thread("busy");
        let _run = busy.run(Log::update().order(Order::Hang)).spawn();
        while busy.status().await.unwrap() != Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        let error = busy.update_state(P::work, Log::update()).await.unwrap_err();
        assert!(matches!(error, RunError::Busy { .. }), "{error}");
        busy.cancel().await.unwrap();
    })
    .await;
}

/// Whether to publish.
pub(super) struct Review;

#[node]
impl Interrupt<Log, Deps> for Review {
    type Question = String;
    type Answer = String;

    async fn ask(_: &Log, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question("publish?".to_owned()))
    }

    fn resume(_: &Log, _: &String, _: Answer<String>) -> NodeResult<Self> {
        Ok(Log::update())
    }
}

#[node]
async fn publish(_: &Log) -> NodeResult<Log> {
    Ok(Log::update().lines(["published"]))
}

#[node]
async fn draft(_: &Log) -> NodeResult<Log> {
    Ok(Log::update().lines(["drafted"]))
}

graph! {
    Press(Log, Deps) {
        start -> draft -> review;
        review -> match { Accepted => publish, Declined => draft at_most 1 else publish, Cancelled => end };
        publish -> end;
        review: Review;
    }
}

#[tokio::test]
async fn an_edit_says_what_a_place_chose() {
    type P = Place<Press>;
    for (chose, next, came) in [("Accepted", "publish", vec!["drafted", "published"]), ("Cancelled", "end", vec!["drafted"])] {
        let thread = Press::app(Deps::default(), Memory::new()).thread("t");
        let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        let error = thread.update_state(P::review, Log::update()).await.unwrap_err();
        let what = "`review` chooses its way: say which with `.choosing(..)`, one of Accepted, Declined, Cancelled";
        assert_eq!(error.to_string(), what);
        let error = thread.update_state(P::review, Log::update()).choosing("Maybe").await.unwrap_err();
        assert_eq!(error.to_string(), "`review` has no arm `Maybe`: it knows Accepted, Declined, Cancelled");
        thread.update_state(P::review, Log::update()).choosing(chose).await.unwrap();
        let last = thread.history().newest(1).await.unwrap().entries().next().unwrap();
        assert_eq!(last.then, [next]);
        let done = thread.proceed().await.unwrap().completed().unwrap();
        assert_eq!(done.output.lines, came);
    }
    // A budget is used up by edits as by answers.
    let thread = Press::app(Deps::default(), Memory::new()).thread("t");
    let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
    thread.update_state(P::review, Log::update()).choosing("Declined").await.unwrap();
    let _paused = thread.proceed().await.unwrap().paused().unwrap();
    thread.update_state(P::review, Log::update()).choosing("Declined").await.unwrap();
    let why = thread.explain().await.unwrap();
    assert_eq!(why.decided.last().unwrap().because, ["`review` chose `Accepted`", "or the way before it had been taken once"]);
    assert_eq!(thread.proceed().await.unwrap().completed().unwrap().output.lines, ["drafted", "drafted", "published"]);
}

#[tokio::test]
async fn what_was_pruned_is_not_guessed() {
    let store = Memory::new();
    let app = Machine::app(Deps::default(), store.clone());
    let thread = app.thread("t");
    // Large enough for a snapshot, which is what a thread can be pruned to.
    let error = thread.run(Log::update().order(Order::Grow).wanted(10_u32)).await.unwrap_err();
    assert!(matches!(error, RunError::Failed(_)));
    let rounds = thread.state().await.unwrap().unwrap().rounds;
    let last = thread.history().await.unwrap().len() as u64;
    let key = graphwright::store::ThreadKey {
        scope: graphwright::Scope::root().hash(),
        by: graphwright::store::By::Name(graphwright::ThreadId::new("t").unwrap()),
    };
    let loaded = store.load(&key, graphwright::store::Point::Head).await.unwrap().unwrap();
    let base = loaded.snapshot.expect("four megabytes are worth one").seq;
    thread.prune(last).await.unwrap();
    assert_eq!(thread.state_at(base).await.unwrap().rounds, base as u32 - 1);
    assert_eq!(thread.state().await.unwrap().unwrap().rounds, rounds);
    let fork = thread.fork(base, "fork").await.unwrap();
    assert_eq!(fork.state().await.unwrap().unwrap().rounds, base as u32 - 1);
    assert_eq!(lines(1, 0), ["round 1", "0 more"], "of a turn without edits");
}
