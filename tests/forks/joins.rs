//! What a branch sees, and what comes of its updates.

use std::sync::Arc;

use graphwright::prelude::*;
use tokio::sync::Barrier;

use crate::stores::everywhere;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Log {
    #[state(append)]
    lines: Vec<String>,
    #[state(sum)]
    sum: u32,
    #[state(max)]
    seen: usize,
}

type Meet = Arc<Barrier>;

/// What a node finds: how many lines there were.
fn line(log: &Log, cx: &Context<Meet>) -> Update<Log> {
    Log::update().lines([format!("{} {}", cx.place(), log.lines.len())]).sum(1_u32)
}

#[node]
async fn before(log: &Log, cx: &Context<Meet>) -> Update<Log> {
    line(log, cx)
}

/// Is done only when the other branch has come as far.
#[node]
async fn slow(log: &Log, cx: &Context<Meet>) -> Update<Log> {
    cx.deps().wait().await;
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    line(log, cx)
}

#[node]
async fn quick(log: &Log, cx: &Context<Meet>) -> Update<Log> {
    cx.deps().wait().await;
    line(log, cx)
}

#[node]
async fn then(log: &Log, cx: &Context<Meet>) -> Update<Log> {
    line(log, cx)
}

#[node]
async fn after(log: &Log, cx: &Context<Meet>) -> Update<Log> {
    line(log, cx).seen(log.lines.len())
}

graph! {
    Meeting(Log, Meet) {
        start -> before -> [slow, quick -> then] -> after -> end;
    }
}

#[tokio::test]
async fn branches_run_at_once_and_are_joined_as_written() {
    for (store, done) in everywhere::<Meeting>(|| Arc::new(Barrier::new(2)), Log::update).await {
        // Either branch reads what was there at the fork and its own writes, and nothing of the other's.
        assert_eq!(done.output.lines, ["before 0", "slow 1", "quick 1", "then 2", "after 4"], "{store}");
        assert_eq!((done.output.sum, done.output.seen, done.steps), (5, 4, 5), "{store}");
    }
}

/// Keeps the longer text, and tells each time it is asked.
fn longer(current: &String, given: String) -> String {
    if given.len() > current.len() { given } else { format!("{current}+{given}") }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Merged {
    #[state(with = longer)]
    text: String,
}

#[node]
async fn one(_: &Merged) -> Update<Merged> {
    Merged::update().text("one")
}

#[node]
async fn two(merged: &Merged) -> Update<Merged> {
    Merged::update().text(format!("{}2", merged.text))
}

graph! {
    Merging(Merged) {
        start -> [one, two -> two_more, three] -> end;
        two_more: two;
        three: two;
    }
}

#[tokio::test]
async fn a_reducer_of_the_users_merges_what_branches_wrote_on_what_is_there() {
    for (store, done) in everywhere::<Merging>(|| (), || Merged::update().text("base")).await {
        // On base: one gives "base+one"; two gives "base2", then "base22"; three gives "base2".
        let by_hand =
            ["one", "base2", "base22", "base2"].into_iter().fold("base".to_owned(), |text, given| longer(&text, given.to_owned()));
        assert_eq!(done.output.text, by_hand, "{store}");
    }
}
