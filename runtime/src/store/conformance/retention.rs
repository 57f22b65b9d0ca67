//! Pruning: what goes, and what stays.

use super::Verdict;
use super::bench::{Bench, answered, now, same, shut};
use super::points::{fold, state, thread};
use crate::clock::Timestamp;
use crate::store::{Append, Appended, Fate, NewQuestion, NewRow, Point, Query, Seq};

async fn prune(bench: &Bench, at: Appended, below: Seq, expected: u64) -> Verdict {
    same(&format!("rows dropped below {below}"), bench.store.prune(&bench.uid(at.uid), below).await?, expected)
}

pub(super) async fn pruning_keeps_the_snapshot_and_what_is_above(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 10, &[3, 6, 9]).await?;
    prune(&bench, at, 8, 5).await?;
    let loaded = bench.at(at.uid, Point::Head).await?;
    same("the oldest row", loaded.first_seq, 6)?;
    let kept = bench.history(at.uid).await?.rows.iter().map(|row| row.seq).collect::<Vec<_>>();
    same("the history", kept, vec![6, 7, 8, 9, 10])?;
    for point in 6..=10 {
        same(&format!("the state at {point}"), fold(&bench.at(at.uid, Point::Seq(point)).await?), state(point))?;
    }
    Ok(())
}

pub(super) async fn pruning_without_a_snapshot_drops_nothing(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 5, &[4]).await?;
    let before = bench.everything().await?;
    prune(&bench, at, 3, 0).await?;
    prune(&bench, at, 0, 0).await?;
    same("everything", bench.everything().await?, before)
}

pub(super) async fn pruning_twice_drops_nothing_more(bench: Bench) -> Verdict {
    let at = thread(&bench, "t", 8, &[4]).await?;
    prune(&bench, at, 8, 3).await?;
    let before = bench.everything().await?;
    prune(&bench, at, 8, 0).await?;
    prune(&bench, at, u64::MAX, 0).await?;
    same("everything", bench.everything().await?, before)
}

/// A thread of old rows, then young ones, then a snapshot.
async fn aged(bench: &Bench, old: usize, young: usize) -> Result<Appended, super::Failure> {
    let rows = |count: usize, at: Timestamp| (0..count).map(|_| NewRow { at, ..bench.row() }).collect::<Vec<_>>();
    let begun = bench.send(Append { rows: rows(old, Timestamp(1)), ..bench.create("t")? }).await?;
    let at = bench.send(Append { rows: rows(young, now()), ..bench.next(begun) }).await?;
    bench.send(Append { rows: rows(1, now()), snapshot: Some(vec![1]), ..bench.next(at) }).await
}

pub(super) async fn pruning_keeps_young_rows(bench: Bench) -> Verdict {
    let at = aged(&bench, 3, 2).await?;
    prune(&bench, at, at.seq, 3).await?;
    same("the oldest row", bench.at(at.uid, Point::Head).await?.first_seq, 4)?;
    let kept = bench.history(at.uid).await?.rows.iter().map(|row| row.seq).collect::<Vec<_>>();
    same("the history", kept, vec![4, 5, 6])
}

pub(super) async fn pruning_keeps_the_evidence_for_lost_replies(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let append = Append { rows: vec![NewRow { at: now(), ..bench.row() }], ..bench.next(begun) };
    let first = bench.send(append.clone()).await?;
    let at = bench.send(Append { snapshot: Some(vec![1]), ..bench.next(first) }).await?;
    prune(&bench, at, at.seq, 1).await?;
    same("the answer to a resent append", bench.send(append).await?, first)
}

pub(super) async fn pruning_disturbs_nobody(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    let at = bench.send(Append { snapshot: Some(vec![1]), request: Some("r".to_owned()), ..bench.next(asked) }).await?;
    let planned = bench.next(at);
    let before = bench.at(at.uid, Point::Head).await?;
    prune(&bench, at, at.seq, 1).await?;
    let after = bench.at(at.uid, Point::Head).await?;
    same("head, version, questions", (after.head, after.seq, after.open), (before.head, before.seq, before.open))?;
    let at = bench.send(planned).await?;
    bench.send(Append { shuts: vec![answered(&question)], ..bench.next(at) }).await.map(drop)
}

pub(super) async fn pruning_anywhere_keeps_the_state(bench: Bench) -> Verdict {
    for below in 0..=12 {
        let at = thread(&bench, &format!("t{below}"), 11, &[2, 5, 6, 9]).await?;
        bench.store.prune(&bench.uid(at.uid), below).await?;
        let loaded = bench.at(at.uid, Point::Head).await?;
        same(&format!("the state, pruned below {below}"), fold(&loaded), state(11))?;
        for point in loaded.first_seq..=11 {
            same(&format!("the state at {point}"), fold(&bench.at(at.uid, Point::Seq(point)).await?), state(point))?;
        }
    }
    Ok(())
}

pub(super) async fn long_threads_are_those_that_pruning_shortens(bench: Bench) -> Verdict {
    let other = bench.tenant(&["acme"])?;
    thread(&bench, "without", 9, &[]).await?;
    thread(&bench, "early", 9, &[1]).await?;
    let short = thread(&bench, "short", 4, &[3]).await?;
    let long = thread(&other, "long", 11, &[2, 5, 8]).await?;
    let longer = |keep| {
        let bench = bench.clone();
        async move {
            Ok::<_, super::Failure>(bench.list(&Query::Long { keep }).await?.threads.iter().map(|thread| thread.uid).collect::<Vec<_>>())
        }
    };
    for (keep, expected) in [
        (0, vec![short.uid, long.uid]),
        (1, vec![short.uid, long.uid]),
        (2, vec![long.uid]),
        (9, vec![long.uid]),
        (10, vec![]),
        (11, vec![]),
        (u64::MAX, vec![]),
    ] {
        same(&format!("longer than {keep}"), longer(keep).await?, expected)?;
    }
    prune(&other, long, 11 - 4, 4).await?;
    same("pruned to 4 rows", longer(4).await?, vec![])?;
    same("to fewer", longer(3).await?, vec![long.uid])
}

pub(super) async fn a_point_below_what_is_kept_has_nothing(bench: Bench) -> Verdict {
    let at = aged(&bench, 3, 2).await?;
    prune(&bench, at, at.seq, 3).await?;
    for point in 0..at.seq {
        let loaded = bench.at(at.uid, Point::Seq(point)).await?;
        same(&format!("snapshot and rows at {point}"), (loaded.snapshot, loaded.rows), (None, Vec::new()))?;
    }
    Ok(())
}

pub(super) async fn pruning_drops_closed_questions_past_their_time(bench: Bench) -> Verdict {
    let until = |expires| NewQuestion { expires, ..bench.question() };
    let just_now = Timestamp(now().0 - 1_000_000);
    let past = until(Some(Timestamp(1)));
    let open = until(Some(Timestamp(1)));
    let kept = [until(None), until(Some(just_now)), until(Some(Timestamp(i64::MAX)))];
    let opens = [&past, &open].into_iter().chain(&kept).cloned().collect();
    let asked = bench.send(Append { opens, ..bench.create("t")? }).await?;
    let shuts = std::iter::once(&past).chain(&kept).map(|question| shut(question, Fate::Abandoned)).collect();
    let at = bench.send(Append { shuts, ..bench.next(asked) }).await?;
    prune(&bench, at, at.seq, 0).await?;
    for (question, there) in [(&past, false), (&open, true)].into_iter().chain(kept.iter().map(|question| (question, true))) {
        let found = bench.store.question(bench.scope.hash(), at.uid, question.id).await?;
        same(&format!("a question until {:?}", question.expires), found.is_some(), there)?;
    }
    Ok(())
}

pub(super) async fn pruning_a_thread_that_never_was(bench: Bench) -> Verdict {
    same("by name", bench.store.prune(&bench.key("t")?, 5).await?, 0)?;
    same("by uid", bench.store.prune(&bench.uid(u64::MAX), 5).await?, 0)?;
    let query = Query::Threads { scope: Some(bench.scope.hash()), status: vec![] };
    same("threads", bench.list(&query).await?.threads.len(), 0)
}
