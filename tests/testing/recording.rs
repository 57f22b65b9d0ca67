//! Recordings, and what another build would do with them.

use std::sync::atomic::Ordering;

use graphwright::prelude::*;
use graphwright::testing::{Divergence, Diverges, Recording, RecordingError, TestApp};
use graphwright::{Graph, Thread};
use serde_json::{Value, json};

use super::claims::{Claim, Clerk, Office, claim, higher_limit, now, office, other_papers, other_signature, smaller, without_papers};

/// Asked, answered, with papers and a letter: then a turn whose bank is closed.
async fn recorded() -> (Office, Thread<now::Claims>, Recording) {
    let (office, app) = office();
    let thread = app.thread("customer 42");
    assert!(matches!(thread.run(claim(700, &["a bill", "a photograph"])).await.unwrap(), Outcome::Paused(_)));
    let open = thread.expect_paused::<Clerk>().await;
    assert!(thread.resume(open.accept(600)).await.unwrap().completed().unwrap().output.paid);
    office.refusals.store(9, Ordering::Relaxed);
    assert!(thread.run(claim(10, &[])).await.unwrap().completed().is_some());
    let recording = Recording::of(&thread).await.unwrap();
    (office, thread, recording)
}

#[track_caller]
fn differs<G: Graph>(recording: &Recording) -> Divergence {
    recording.replay::<G>().expect_err("nothing differs")
}

#[tokio::test(start_paused = true)]
async fn the_same_build_goes_the_same_ways_and_calls_no_node() {
    let (office, _, recording) = recorded().await;
    let calls = office.called.load(Ordering::Relaxed);
    assert!(calls > 6);
    recording.replay::<now::Claims>().unwrap();
    let again = Recording::from_json(&recording.to_json()).unwrap();
    assert_eq!(again.to_json(), recording.to_json());
    again.replay::<now::Claims>().unwrap();
    assert_eq!(office.called.load(Ordering::Relaxed), calls);
}

#[tokio::test(start_paused = true)]
async fn a_router_that_changed_is_found_where_it_decides_first() {
    let (_, thread, recording) = recorded().await;
    let found = differs::<higher_limit::Claims>(&recording);
    let way = Diverges::Way { recorded: "letter -> write".to_owned(), now: "pay".to_owned() };
    assert_eq!((found.place.as_str(), &found.what), ("sorted", &way));
    let row = thread.history().await.unwrap().entries().find(|row| row.place == "sorted").unwrap().seq;
    assert_eq!(found.seq, row);
    let said = format!("row {row}, `sorted`: recorded is the way to letter -> write, and this build goes to pay");
    assert_eq!(found.to_string(), said);
}

#[tokio::test(start_paused = true)]
async fn what_goes_along_a_way_is_compared_too() {
    let (_, _, recording) = recorded().await;
    let found = differs::<other_papers::Claims>(&recording);
    let Diverges::Update { recorded, now, .. } = &found.what else { panic!("{found}") };
    assert_eq!((found.place.as_str(), &**recorded, &**now), ("clerk", &json!("a bill"), &json!("copy of a bill")));
    assert!(!found.to_string().contains("bill"), "what is in a thread is private: {found}");

    let found = differs::<other_signature::Claims>(&recording);
    let Diverges::Update { recorded, now, .. } = &found.what else { panic!("{found}") };
    assert!(found.place.ends_with("letter/write"), "{found}");
    let (was, is) = (json!("Dear Sir, we pay 600, the office"), json!("Dear Sir, we pay 600, your office"));
    assert_eq!((&**recorded, &**now), (&was, &is));
}

#[tokio::test(start_paused = true)]
async fn a_choice_of_a_place_is_right_if_one_of_its_arms_leads_there() {
    let (_, _, recording) = recorded().await;
    let found = differs::<smaller::Claims>(&recording);
    let Diverges::Unreadable { why } = &found.what else { panic!("{found}") };
    assert!(found.place == "appraise" && why.contains("`clerk`"), "{found}");

    // What leads elsewhere than any arm does.
    let text = recording.to_json().replacen(r#"{"at":"clerk"}"#, r#"{"at":"lapse"}"#, 1);
    let found = differs::<now::Claims>(&Recording::from_json(&text).unwrap());
    assert_eq!(found.place, "appraise");
    let Diverges::Way { recorded, now } = &found.what else { panic!("{found}") };
    assert!(recorded == "lapse" && now.starts_with("pay or clerk"), "{found}");
}

#[tokio::test(start_paused = true)]
async fn a_build_that_cannot_read_it_says_so() {
    let (_, _, recording) = recorded().await;
    let found = differs::<without_papers::Claims>(&recording);
    let Diverges::Unreadable { why } = &found.what else { panic!("{found}") };
    assert!(found.seq == 1 && why.contains("papers"), "{found}");
    let found = differs::<now::Letter>(&recording);
    assert_eq!(found.what, Diverges::Graph { recorded: "Claims".to_owned(), now: "Letter".to_owned() });
}

#[tokio::test(start_paused = true)]
async fn what_is_private_is_taken_out_and_the_rest_still_replays() {
    let (_, _, recording) = recorded().await;
    let text = recording.to_json();
    assert!(text.contains("a photograph") && text.contains("the bank is closed") && !text.contains("customer 42"), "{text}");
    let mut seen = Vec::new();
    let redacted = recording.redacted(|at, value| {
        seen.push(at.to_owned());
        if let Value::String(text) = value {
            *text = text.chars().map(|c| if c.is_alphabetic() { 'x' } else { c }).collect();
        }
    });
    let redacted = redacted.unwrap();
    for at in ["/update/amount", "/update/papers/1", "/update/filed/add/0", "/failed/error", "/question/asked"] {
        assert!(seen.iter().any(|seen| seen == at), "{at} is not in {seen:#?}");
    }
    let text = redacted.to_json();
    for private in ["photograph", "bill", "bank", "closed"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
    assert!(text.contains("appraise"));
    // What code puts together out of it is not what it was: `we pay` is a text of the build.
    let found = differs::<now::Claims>(&redacted);
    assert!(matches!(&found.what, Diverges::Update { .. }), "{found}");

    let kept = with_papers_of_one_name().await;
    assert!(!kept.to_json().contains("photograph"));
    kept.replay::<now::Claims>().unwrap();
}

/// Every paper is called the same, in the state, in the items and in what was filed.
async fn with_papers_of_one_name() -> Recording {
    let (_, _, recording) = recorded().await;
    let public = recording.redacted(|_, value| {
        if let Value::String(text) = value {
            *text = text.replace("photograph", "paper").replace("bill", "paper");
        }
    });
    public.unwrap()
}

#[tokio::test(start_paused = true)]
async fn files_are_written_and_read() {
    let (_, _, recording) = recorded().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claim.json");
    recording.save(&path).unwrap();
    Recording::open(&path).unwrap().replay::<now::Claims>().unwrap();
    assert!(matches!(Recording::open(folder.path().join("none.json")), Err(RecordingError::File(_))));
    let newer = recording.to_json().replacen("\"format\": 1", "\"format\": 2", 1);
    for not_one in ["", "{}", "[]", &newer] {
        assert!(matches!(Recording::from_json(not_one), Err(RecordingError::Unreadable(_))), "{not_one:.20}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_thread_without_its_first_rows_is_not_recorded() {
    let app = TestApp::<now::Claims>::new(Office::default());
    let thread = app.thread("t");
    assert!(matches!(Recording::of(&thread).await, Err(RecordingError::Thread(RunError::NoThread))));
    assert!(thread.run(claim(10, &[])).await.unwrap().completed().is_some());
    thread.fork(2, "other").await.unwrap();
    assert!(matches!(Recording::of(&app.thread("other")).await, Err(RecordingError::NoBeginning)));
    Recording::of(&thread).await.unwrap().replay::<now::Claims>().unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_edit_and_a_stop_are_replayed_too() {
    let app = TestApp::<now::Claims>::new(Office::default());
    let thread = app.thread("t");
    assert!(thread.run(claim(10, &[])).steps(1).await.unwrap().stopped().is_some());
    thread.update_state(graphwright::Place::<now::Claims>::sorted, Claim::update().amount(11)).await.unwrap();
    assert!(thread.proceed().await.unwrap().completed().is_some());
    let recording = Recording::of(&thread).await.unwrap();
    recording.replay::<now::Claims>().unwrap();
    let moved = recording.to_json().replacen("\"amount\":11", "\"amount\":511", 1);
    let found = differs::<now::Claims>(&Recording::from_json(&moved).unwrap());
    assert_eq!(found.place, "sorted");
}
