//! Questions in branches and mounted graphs: several are open at once, each is answered by itself, in any order.

use graphwright::prelude::*;
use graphwright::store::{RowKind, Status};
use graphwright::{AnsweredNext, EventKind, Memory, OnPaused, Sqlite};

use super::tree::{Deps, Log, Q, TEXT, Tree, WORKED, answer, asked, lines};

/// Every order of three.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn places(questions: &[Q]) -> Vec<&'static str> {
    questions.iter().map(|question| asked(question).0).collect()
}

/// What a turn must have come to.
fn check(log: &Log, deps: &Deps, what: &str) {
    assert_eq!(log.lines, lines(), "{what}");
    assert_eq!((log.text.as_str(), log.count), (TEXT, 8 + 60), "{what}");
    let begun = deps.begun.lock().unwrap();
    let keys: std::collections::BTreeSet<_> = begun.iter().map(|(_, key)| key).collect();
    assert_eq!((begun.len(), keys.len()), (WORKED, WORKED), "{what}: each body ran once, with a key of its own: {begun:?}");
}

#[tokio::test]
async fn a_run_pauses_when_nothing_can_run_with_all_questions_in_the_order_of_joins() {
    graphwright::__private::read_back();
    let app = Tree::app(Deps::default(), Memory::new());
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let hears = told.clone();
    let run = app.thread("t").run(Log::update()).observe(move |event: &graphwright::Event| hears.lock().unwrap().push(event.kind.clone()));
    let paused = run.await.unwrap().paused().unwrap();
    assert_eq!(places(&paused.questions), ["sign_left", "sign_right", "sign_inside"]);
    let told: Vec<EventKind> = told.lock().unwrap().clone();
    let asked = told.iter().filter(|kind| matches!(kind, EventKind::AskUserQuestion { .. })).count();
    assert_eq!(asked, 3);
    assert!(told.contains(&EventKind::Paused { questions: 3 }));
    assert_eq!(places(&app.thread("t").pending().await.unwrap()), places(&paused.questions));
    let inbox = app.pending().list().await.unwrap();
    assert_eq!(inbox.waiting.len(), 3);
    assert_eq!(app.pending().to("sign_inside").list().await.unwrap().waiting.len(), 1);
}

#[tokio::test]
async fn each_is_answered_by_itself_in_any_order() {
    graphwright::__private::read_back();
    let folder = tempfile::tempdir().unwrap();
    for (n, order) in ORDERS.into_iter().enumerate() {
        for sqlite in [false, true] {
            let deps = Deps::default();
            let what = format!("{order:?}, sqlite: {sqlite}");
            let app = if sqlite {
                Tree::app(deps.clone(), Sqlite::open(folder.path().join(format!("{n}.db"))).await.unwrap())
            } else {
                Tree::app(deps.clone(), Memory::new())
            };
            let mut questions: Vec<Option<Q>> =
                app.thread("t").run(Log::update()).await.unwrap().paused().unwrap().questions.into_iter().map(Some).collect();
            for (nth, index) in order.into_iter().enumerate() {
                let question = questions[index].take().unwrap();
                let outcome = app.thread("t").resume(answer(&question)).await.unwrap();
                match outcome {
                    Outcome::Paused(paused) => {
                        assert!(nth < 2, "{what}");
                        let open: Vec<&str> = questions.iter().flatten().map(|question| asked(question).0).collect();
                        assert_eq!(places(&paused.questions), open, "{what}");
                    }
                    Outcome::Completed(done) => {
                        assert_eq!(nth, 2, "{what}");
                        check(&done.output, &deps, &what);
                    }
                    Outcome::Stopped(_) => panic!("{what}"),
                }
            }
        }
    }
}

#[tokio::test]
async fn several_at_once_are_one_commit_all_or_none() {
    graphwright::__private::read_back();
    let deps = Deps::default();
    let app = Tree::app(deps.clone(), Memory::new());
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let rows = app.thread("t").history().await.unwrap().len();
    let mut answers: Vec<_> = paused.questions.iter().map(answer).collect();
    let bad = asked(&paused.questions[2]).1.accept(101);
    let error = app.thread("t").answer(vec![answers[0].clone(), bad]).await.unwrap_err();
    assert!(matches!(error, RunError::BadAnswer(_)), "{error}");
    assert_eq!(app.thread("t").history().await.unwrap().len(), rows, "nothing of it was written");
    answers.reverse();
    let answered = app.thread("t").answer(answers).await.unwrap();
    assert_eq!(answered.next, AnsweredNext::Ready);
    assert_eq!(app.sweep().await.unwrap().driven, 1);
    let done = app.thread("t").proceed().await.unwrap().completed().unwrap();
    check(&done.output, &deps, "all at once");
    let commits: std::collections::BTreeSet<_> =
        app.thread("t").history().await.unwrap().iter().filter(|row| row.row.kind == RowKind::Answer).map(|row| row.commit).collect();
    assert_eq!(commits.len(), 1);
}

#[tokio::test]
async fn an_answer_that_leaves_other_questions_claims_nothing() {
    let app = Tree::app(Deps::default(), Memory::new());
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    // Behind it there is nothing in its branch, and its sibling has arrived: but the branch around goes on.
    let answered = app.thread("t").answer(answer(&paused.questions[1])).await.unwrap();
    assert_eq!(answered.next, AnsweredNext::Ready);
    assert_eq!(places(&app.thread("t").proceed().await.unwrap().paused().unwrap().questions), ["sign_left", "sign_inside"]);
    let declined = app.thread("t").answer(asked(&paused.questions[0]).1.decline()).await.unwrap();
    assert_eq!(declined.next, AnsweredNext::Ready);
}

#[tokio::test]
async fn abandon_shuts_all_of_them_and_keeps_what_was_committed() {
    graphwright::__private::read_back();
    let deps = Deps::default();
    let app = Tree::app(deps, Memory::new());
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let _answered = app.thread("t").answer(answer(&paused.questions[2])).await.unwrap();
    app.thread("t").abandon().await.unwrap();
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle));
    assert!(app.pending().list().await.unwrap().waiting.is_empty());
    let log = app.thread("t").state().await.unwrap().unwrap();
    assert_eq!(log.lines, ["before 0", "right 1", "inside 1", "sign_inside sees 2: 30 at 2"]);
    assert_eq!(log.text, "|before", "nobody is asked how to merge: it stays as it was at the fork");
    for question in &paused.questions {
        let error = app.thread("t").answer(answer(question)).await.unwrap_err();
        assert!(matches!(error, RunError::Superseded | RunError::Spent { .. }), "{error}");
    }
    let again = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let ids = |questions: &[Q]| questions.iter().map(|question| asked(question).1.id()).collect::<Vec<_>>();
    assert!(ids(&again.questions).iter().all(|id| !ids(&paused.questions).contains(id)), "another turn asks other questions");
}

#[tokio::test]
async fn a_new_turn_over_open_questions_gives_them_up_if_it_may() {
    graphwright::__private::read_back();
    let app = Tree::app(Deps::default(), Memory::new());
    app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let error = app.thread("t").run(Log::update()).await.unwrap_err();
    assert!(matches!(&error, RunError::Waiting { place, .. } if place == "sign_left"), "{error}");
    let app = app.on_paused(OnPaused::Abandon);
    app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    assert_eq!(app.pending().list().await.unwrap().waiting.len(), 3, "those of the new turn");
}

#[tokio::test]
async fn tokens_and_notify_reach_a_question_at_any_depth() {
    let deps = Deps::default();
    let app = Tree::app(deps.clone(), Memory::new()).keys(graphwright::KeyRing::new(1, vec![7; 32]).unwrap());
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    assert_eq!(app.sweep().await.unwrap().delivered, 3);
    let told = deps.told.lock().unwrap().clone();
    let unlike = |of: fn(&(String, String)) -> &String| told.iter().map(of).collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!((unlike(|(place, _)| place), unlike(|(_, key)| key)), (3, 3), "each question has a place and a key of its own: {told:?}");
    let begun = deps.begun.lock().unwrap().clone();
    assert!(!begun.iter().any(|(_, step)| told.iter().any(|(_, key)| key == step)), "telling is another step than asking");

    // Issued anew it is told anew, and not taken for what was told before.
    app.thread("t").reissue(asked(&paused.questions[0]).1.id(), None).await.unwrap();
    assert_eq!(app.sweep().await.unwrap().delivered, 1);
    let again = deps.told.lock().unwrap()[3].clone();
    assert!(told.iter().any(|(place, key)| *place == again.0 && *key != again.1), "{again:?} of {told:?}");
    for question in app.thread("t").pending().await.unwrap().iter().rev() {
        let token = app.token("t", asked(question).1.id()).await.unwrap();
        app.redeem(&token, serde_json::json!({ "action": "accept", "content": 5 })).await.unwrap();
        assert!(app.redeem(&token, serde_json::json!({ "action": "accept", "content": 5 })).await.is_err(), "it is spent");
    }
    assert!(app.thread("t").proceed().await.unwrap().completed().is_some());
}
