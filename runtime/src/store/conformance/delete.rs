//! Deleting and creating again, with writers that come late.

use super::bench::{Bench, answered, ensure, inbox, is_conflict, same};
use super::{Failure, Verdict};
use crate::clock::Timestamp;
use crate::store::{Append, AppendError, AppendTarget, Appended, NewQuestion, Point, Query, Uid};

fn is_gone(error: &AppendError) -> bool {
    matches!(error, AppendError::Gone)
}

fn over(append: Append, tombstone: Uid) -> Append {
    match append.target {
        AppendTarget::New { scope, name, .. } => {
            Append { target: AppendTarget::New { scope, name, over: Some(tombstone) }, commit: append.commit, ..append }
        }
        AppendTarget::At { .. } => append,
    }
}

async fn delete(bench: &Bench, name: &str) -> Verdict {
    ensure(bench.store.delete(&bench.key(name)?).await?, || format!("`{name}` was not there to delete"))
}

/// A thread with something in every table.
async fn full(bench: &Bench) -> Result<(Appended, NewQuestion), Failure> {
    let question = NewQuestion { notify: true, expires: Some(Timestamp(1)), expiry_way: true, ..bench.question() };
    let append = Append { head: bench.running(), opens: vec![question.clone()], snapshot: Some(vec![1]), ..bench.create("t")? };
    Ok((bench.send(Append { request: Some("r".to_owned()), ..append }).await?, question))
}

pub(super) async fn a_deleted_thread_is_found_by_nobody(bench: Bench) -> Verdict {
    let empty = bench.everything().await?;
    let (at, question) = full(&bench).await?;
    delete(&bench, "t").await?;
    same("by name", bench.load("t").await?, None)?;
    same("by uid", bench.store.load(&bench.uid(at.uid), Point::Head).await?, None)?;
    same("its question", bench.store.question(bench.scope.hash(), at.uid, question.id).await?, None)?;
    same("its history", bench.history(at.uid).await?.rows.len(), 0)?;
    let request = Query::Request { scope: bench.scope.hash(), uid: at.uid, key: "r".to_owned() };
    same("its request", bench.list(&request).await?.rows.len(), 0)?;
    same("every listing", bench.everything().await?, empty)
}

pub(super) async fn deleting_twice(bench: Bench) -> Verdict {
    same("before it was", bench.store.delete(&bench.key("t")?).await?, false)?;
    let at = bench.begin("t").await?;
    same("by uid", bench.store.delete(&bench.uid(at.uid)).await?, true)?;
    same("again by uid", bench.store.delete(&bench.uid(at.uid)).await?, false)?;
    same("again by name", bench.store.delete(&bench.key("t")?).await?, false)?;
    same("pruning it", bench.store.prune(&bench.uid(at.uid), 1).await?, 0)
}

/// Who deletes what nobody uses any more must not delete what somebody uses again.
pub(super) async fn deleting_at_a_version(bench: Bench) -> Verdict {
    let first = bench.begin("t").await?;
    let second = bench.step(first).await?;
    for moved in [first, Appended { seq: 3, ..second }, Appended { seq: u64::MAX, ..second }, Appended { uid: u64::MAX, ..second }] {
        same("loading another version", bench.store.load(&bench.version(moved), Point::Head).await?, None)?;
        same("deleting another version", bench.store.delete(&bench.version(moved)).await?, false)?;
    }
    let loaded = bench.store.load(&bench.version(second), Point::Head).await?;
    same("loading this version", loaded, bench.load("t").await?)?;
    same("of another tenant", bench.store.delete(&bench.tenant(&["acme"])?.version(second)).await?, false)?;
    same("deleting this version", bench.store.delete(&bench.version(second)).await?, true)?;
    same("afterwards", bench.load("t").await?, None)
}

pub(super) async fn a_late_writer_finds_nothing(bench: Bench) -> Verdict {
    let (at, question) = full(&bench).await?;
    let done = bench.next(at);
    let at_last = bench.send(done.clone()).await?;
    let late = Append { shuts: vec![answered(&question)], ..bench.next(at_last) };
    delete(&bench, "t").await?;
    bench.refused(late.clone(), is_gone).await?;
    bench.refused(done.clone(), is_gone).await?;
    bench.send(over(bench.create("t")?, at.uid)).await?;
    bench.refused(late, is_gone).await?;
    bench.refused(done, is_gone).await
}

pub(super) async fn a_new_life_names_the_tombstone(bench: Bench) -> Verdict {
    let first = bench.begin("t").await?;
    delete(&bench, "t").await?;
    bench.refused(bench.create("t")?, |error| *error == AppendError::Deleted(first.uid)).await?;
    let second = bench.send(over(bench.create("t")?, first.uid)).await?;
    same("one uid for both", first.uid == second.uid, false)?;
    same("the version", second.seq, 1)
}

pub(super) async fn a_create_over_another_tombstone_is_refused(bench: Bench) -> Verdict {
    let (first, other) = (bench.begin("t").await?, bench.begin("other").await?);
    delete(&bench, "t").await?;
    delete(&bench, "other").await?;
    for wrong in [other.uid, 0, u64::MAX] {
        bench.refused(over(bench.create("t")?, wrong), |error| *error == AppendError::Deleted(first.uid)).await?;
    }
    Ok(())
}

pub(super) async fn a_create_over_no_tombstone_is_refused(bench: Bench) -> Verdict {
    bench.refused(over(bench.create("t")?, 1), is_conflict).await?;
    let at = bench.begin("t").await?;
    bench.refused(over(bench.create("t")?, at.uid), |error| matches!(error, AppendError::Exists)).await
}

/// Sent by somebody who gave up, and executed after the thread was created and deleted by others.
pub(super) async fn a_late_create_finds_another_tombstone(bench: Bench) -> Verdict {
    let late = bench.create("t")?;
    let first = bench.begin("t").await?;
    bench.refused(late.clone(), |error| matches!(error, AppendError::Exists)).await?;
    delete(&bench, "t").await?;
    bench.refused(late.clone(), |error| *error == AppendError::Deleted(first.uid)).await?;
    let late_over = over(bench.create("t")?, first.uid);
    let second = bench.send(over(bench.create("t")?, first.uid)).await?;
    delete(&bench, "t").await?;
    bench.refused(late, |error| *error == AppendError::Deleted(second.uid)).await?;
    bench.refused(late_over, |error| *error == AppendError::Deleted(second.uid)).await
}

pub(super) async fn a_new_life_has_nothing_of_the_old(bench: Bench) -> Verdict {
    let (first, question) = full(&bench).await?;
    delete(&bench, "t").await?;
    let created = Append { request: Some("r".to_owned()), ..over(bench.create("t")?, first.uid) };
    let second = bench.send(created).await?;
    let loaded = bench.loaded("t").await?;
    same("version, rows, questions", (loaded.seq, loaded.rows.len(), loaded.open.len()), (1, 1, 0))?;
    same("snapshot and debt", (loaded.snapshot, loaded.snapshot_bytes, loaded.debt), (None, 0, 2))?;
    same("the inbox", bench.list(&inbox(&bench.scope)).await?.questions.len(), 0)?;
    same("the outbox", bench.list(&Query::Outbox).await?.questions.len(), 0)?;
    same("a token of the old one", bench.store.question(bench.scope.hash(), second.uid, question.id).await?, None)?;
    bench.send(Append { opens: vec![question], ..bench.next(second) }).await.map(drop)
}

pub(super) async fn a_uid_never_comes_back(bench: Bench) -> Verdict {
    let mut uids = Vec::new();
    let mut tombstone = None;
    for _ in 0..5 {
        let create = bench.create("t")?;
        let at = bench.send(tombstone.map_or(create.clone(), |tombstone| over(create, tombstone))).await?;
        ensure(!uids.contains(&at.uid), || format!("uid {} came back", at.uid))?;
        uids.push(at.uid);
        delete(&bench, "t").await?;
        tombstone = Some(at.uid);
    }
    Ok(())
}
