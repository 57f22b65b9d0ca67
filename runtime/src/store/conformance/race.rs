//! Many at once.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;

use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::bench::{Bench, answered, ensure, same};
use super::points::fold;
use super::{Failure, Verdict};
use crate::store::{Append, AppendError, AppendTarget, Appended, NewQuestion, NewRow, Point, Seq};

const TASKS: usize = 8;
const SWAPS: Seq = 200;

/// Runs `task` so many times at once.
async fn together<T, F>(count: usize, mut task: impl FnMut(usize) -> F) -> Result<Vec<T>, Failure>
where
    T: Send + 'static,
    F: Future<Output = Result<T, Failure>> + Send + 'static,
{
    let mut running = JoinSet::new();
    for n in 0..count {
        running.spawn(task(n));
    }
    let mut results = Vec::with_capacity(count);
    while let Some(result) = running.join_next().await {
        results.push(result.map_err(|error| Failure(error.to_string()))??);
    }
    same("tasks that ran", results.len(), count)?;
    Ok(results)
}

/// Swaps whatever version it finds, until the thread has so many. Gives the versions it won.
async fn contend(bench: Bench, uid: u64, until: Seq) -> Result<Vec<Seq>, Failure> {
    let mut won = Vec::new();
    loop {
        let seq = bench.at(uid, Point::Head).await?.seq;
        if seq >= until {
            return Ok(won);
        }
        // Somebody else's turn, also where a store never waits.
        tokio::task::yield_now().await;
        match bench.store.append(bench.next(Appended { uid, seq })).await {
            Ok(at) => won.push(at.seq),
            Err(AppendError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

pub(super) async fn every_version_has_one_winner(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let won = together(TASKS, |_| contend(bench.clone(), begun.uid, SWAPS)).await?;
    let mut won: Vec<_> = won.into_iter().flatten().collect();
    won.sort_unstable();
    let loaded = bench.loaded("t").await?;
    ensure(loaded.seq >= SWAPS, || format!("only {} rows were written", loaded.seq))?;
    same("the versions won", won, (2..=loaded.seq).collect())?;
    same("the rows", loaded.rows.iter().map(|row| row.seq).collect(), (1..=loaded.seq).collect::<Vec<_>>())
}

pub(super) async fn one_create_wins(bench: Bench) -> Verdict {
    for round in 0..20 {
        let name = format!("t{round}");
        let answers = together(TASKS, |_| {
            let (bench, name) = (bench.clone(), name.clone());
            async move { Ok(bench.store.append(bench.create(&name)?).await) }
        })
        .await?;
        let winners: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
        same("winners", winners.len(), 1)?;
        let losers = answers.iter().filter(|answer| matches!(answer, Err(AppendError::Exists))).count();
        same("those who were told that it exists", losers, TASKS - 1)?;
        same("the rows", bench.loaded(&name).await?.rows.len(), 1)?;
    }
    Ok(())
}

pub(super) async fn the_same_append_at_once_is_once(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for _ in 0..20 {
        let append = bench.next(at);
        let answers = together(TASKS, |_| {
            let (bench, append) = (bench.clone(), append.clone());
            async move { bench.send(append).await }
        })
        .await?;
        at = Appended { seq: at.seq + 1, ..at };
        same("the answers", answers, vec![at; TASKS])?;
    }
    same("the version", bench.loaded("t").await?.seq, 21)
}

pub(super) async fn a_request_at_once_is_taken_once(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let taken = together(TASKS, |_| {
        let bench = bench.clone();
        async move {
            loop {
                let seq = bench.at(begun.uid, Point::Head).await?.seq;
                let append = Append { request: Some("order-1".to_owned()), ..bench.next(Appended { seq, ..begun }) };
                match bench.store.append(append).await {
                    Err(AppendError::Conflict) => {}
                    Err(AppendError::Duplicate(seq)) => return Ok((false, seq)),
                    answer => return Ok((true, answer?.seq)),
                }
            }
        }
    })
    .await?;
    same("how often it was taken", taken.iter().filter(|(taken, _)| *taken).count(), 1)?;
    same("the row everybody was told", taken.iter().all(|(_, seq)| *seq == 2), true)
}

pub(super) async fn many_threads_at_once(bench: Bench) -> Verdict {
    let heads = together(32, |n| {
        let bench = bench.clone();
        async move {
            let name = format!("t{n}");
            let mut at = bench.begin(&name).await?;
            for _ in 0..20 {
                at = bench.step(at).await?;
            }
            Ok((name, at))
        }
    })
    .await?;
    for (name, at) in heads {
        let loaded = bench.loaded(&name).await?;
        same("uid, version, rows", (loaded.uid, loaded.seq, loaded.rows.len()), (at.uid, 21, 21))?;
    }
    Ok(())
}

/// Every commit shuts one question and opens another, so a whole read has one, opened by the head's row.
async fn write(bench: Bench, mut at: Appended, mut question: NewQuestion, ready: Arc<Barrier>, read: Arc<AtomicU32>) -> Verdict {
    ready.wait().await;
    // However busy the machine is: until it was read often enough while it was written.
    for n in (0..10_000).take_while(|n| *n < 150 || read.load(Ordering::Relaxed) < 20) {
        let next = bench.question();
        let snapshot = (n % 10 == 0).then(|| vec![0; usize::try_from(at.seq + 1).unwrap_or(0)]);
        let rows = vec![NewRow { body: vec![0], ..bench.row() }];
        let append = Append { rows, opens: vec![next.clone()], shuts: vec![answered(&question)], snapshot, ..bench.next(at) };
        at = bench.send(append).await?;
        tokio::task::yield_now().await;
        question = next;
        if n % 25 == 0 {
            bench.store.prune(&bench.uid(at.uid), at.seq).await?;
        }
    }
    bench.store.delete(&bench.uid(at.uid)).await?;
    Ok(())
}

pub(super) async fn reads_are_never_torn(bench: Bench) -> Verdict {
    let question = bench.question();
    let rows = vec![NewRow { body: vec![0], ..bench.row() }];
    let begun = bench.send(Append { rows, opens: vec![question.clone()], ..bench.create("t")? }).await?;
    let ready = Arc::new(Barrier::new(3));
    let read = Arc::new(AtomicU32::new(0));
    let writer = tokio::spawn(write(bench.clone(), begun, question, Arc::clone(&ready), Arc::clone(&read)));
    together(2, |_| {
        let (bench, ready, read) = (bench.clone(), Arc::clone(&ready), Arc::clone(&read));
        async move {
            ready.wait().await;
            while let Some(loaded) = bench.store.load(&bench.uid(begun.uid), Point::Head).await? {
                let base = loaded.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
                let rows: Vec<_> = loaded.rows.iter().map(|row| row.seq).collect();
                same("the rows after the snapshot", rows, (base + 1..=loaded.seq).collect())?;
                same("the state", fold(&loaded).len() as u64, loaded.seq)?;
                same("the open question", loaded.open.iter().map(|row| row.opened).collect::<Vec<_>>(), vec![loaded.seq])?;
                read.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
            Ok(())
        }
    })
    .await?;
    writer.await.map_err(|error| Failure(error.to_string()))??;
    ensure(read.load(Ordering::Relaxed) >= 20, || "nothing was read while it was written".to_owned())
}

pub(super) async fn a_dropped_append_is_whole_or_nothing(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for polls in 0..20 {
        let append = Append { rows: bench.rows(3), opens: vec![bench.question()], ..bench.next(at) };
        {
            let mut sent = std::pin::pin!(bench.store.append(append.clone()));
            // Polled a few times, by hand, then dropped.
            for _ in 0..polls {
                let pending = std::future::poll_fn(|cx| Poll::Ready(sent.as_mut().poll(cx).is_pending())).await;
                if !pending {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let seen = bench.loaded("t").await?.seq;
        ensure(seen == at.seq || seen == at.seq + 3, || format!("half an append is there: version {seen} after {}", at.seq))?;
        let answer = bench.send(append).await?;
        at = Appended { seq: at.seq + 3, ..at };
        same("the answer to the same append", answer, at)?;
        same("the version", bench.loaded("t").await?.rows.len() as u64, at.seq)?;
    }
    Ok(())
}

pub(super) async fn deleting_against_writing(bench: Bench) -> Verdict {
    for round in 0..20 {
        let name = format!("t{round}");
        let begun = bench.begin(&name).await?;
        let writer = {
            let bench = bench.clone();
            async move {
                let mut at = begun;
                loop {
                    match bench.store.append(bench.next(at)).await {
                        Ok(next) => at = next,
                        Err(AppendError::Gone) => return Ok::<_, Failure>(()),
                        Err(error) => return Err(error.into()),
                    }
                    tokio::task::yield_now().await;
                }
            }
        };
        let writer = tokio::spawn(writer);
        ensure(bench.store.delete(&bench.key(&name)?).await?, || "it was not there to delete".to_owned())?;
        writer.await.map_err(|error| Failure(error.to_string()))??;
        same("after it", bench.load(&name).await?, None)?;
        let AppendTarget::New { scope, name: id, .. } = bench.create(&name)?.target else { return Ok(()) };
        let target = AppendTarget::New { scope, name: id, over: Some(begun.uid) };
        same("the new life", bench.send(Append { target, ..bench.create(&name)? }).await?.seq, 1)?;
        same("its rows", bench.loaded(&name).await?.rows.len(), 1)?;
    }
    Ok(())
}
