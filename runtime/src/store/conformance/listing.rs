//! Heads, rows and pages.

use super::bench::{Bench, ensure, inbox, same};
use super::{Failure, Verdict};
use crate::clock::Timestamp;
use crate::id::WorkerId;
use crate::store::{Append, Head, Listing, NewQuestion, Page, Query, Status, StoreError};

pub(super) async fn threads_by_status(bench: Bench) -> Verdict {
    let mut uids = Vec::new();
    for status in [Status::Idle, Status::Running, Status::Paused, Status::Stopped, Status::Idle] {
        let head = if status == Status::Running { bench.running() } else { Head { status, ..bench.head() } };
        uids.push(bench.send(Append { head, ..bench.create(&format!("t{}", uids.len()))? }).await?.uid);
    }
    bench.tenant(&["acme"])?.begin("t0").await?;
    for (status, expected) in [
        (vec![], vec![0, 1, 2, 3, 4]),
        (vec![Status::Idle], vec![0, 4]),
        (vec![Status::Running], vec![1]),
        (vec![Status::Paused, Status::Stopped], vec![2, 3]),
        (vec![Status::Stopped, Status::Stopped, Status::Running], vec![1, 3]),
    ] {
        let what = format!("threads that are {status:?}");
        let found = bench.list(&Query::Threads { scope: Some(bench.scope.hash()), status }).await?;
        let expected: Vec<_> = expected.into_iter().filter_map(|n: usize| uids.get(n).copied()).collect();
        same(&what, found.threads.iter().map(|thread| thread.uid).collect(), expected)?;
    }
    let first = bench.list(&Query::Threads { scope: Some(bench.scope.hash()), status: vec![] }).await?.threads.into_iter().next();
    let loaded = bench.loaded("t0").await?;
    let seen = first.map(|thread| (thread.uid, thread.scope, thread.name, thread.seq, thread.head));
    same("what is told of one", seen, Some((loaded.uid, bench.scope.hash(), loaded.name, loaded.seq, loaded.head)))
}

pub(super) async fn running_threads_of_all_scopes_with_their_workers(bench: Bench) -> Verdict {
    let mut expected = Vec::new();
    for n in 0..3_u8 {
        let tenant = bench.tenant(&[&format!("tenant-{n}")])?;
        tenant.begin("idle").await?;
        let worker = WorkerId([n; 16]);
        let at = tenant.send(Append { head: bench.running_by(worker), ..tenant.create("running")? }).await?;
        expected.push((at.uid, Some(worker)));
    }
    let found = bench.list(&Query::Running).await?.threads;
    same("running", found.iter().map(|thread| (thread.uid, thread.head.worker)).collect(), expected)
}

pub(super) async fn threads_at_rest_of_all_scopes(bench: Bench) -> Verdict {
    let mut rested = Vec::new();
    for (n, status) in [Status::Idle, Status::Paused, Status::Stopped, Status::Running, Status::Idle].into_iter().enumerate() {
        let tenant = bench.tenant(&[&format!("tenant-{n}")])?;
        let head = if status == Status::Running { tenant.running() } else { Head { status, ..tenant.head() } };
        let at = tenant.send(Append { head: Head { at: Timestamp(7), ..head }, ..tenant.create("t")? }).await?;
        if status == Status::Idle {
            rested.push(at.uid);
        }
    }
    for (before, expected) in [(7, Vec::new()), (8, rested)] {
        let found = bench.list(&Query::Rested { before: Timestamp(before) }).await?.threads;
        same(&format!("at rest before {before}"), found.iter().map(|thread| thread.uid).collect(), expected)?;
    }
    Ok(())
}

/// Every page of a listing, one after the other.
async fn walk(bench: &Bench, query: &Query, limit: usize) -> Result<Listing, Failure> {
    let mut all = Listing::default();
    let mut after = None;
    loop {
        let page = bench.store.list(query, Page { after, limit }).await?;
        let items = page.threads.len() + page.questions.len() + page.rows.len();
        ensure(items <= limit, || format!("a page of {limit} has {items} items"))?;
        ensure(items > 0 || page.next.is_none(), || "an empty page names another one".to_owned())?;
        all.threads.extend(page.threads);
        all.questions.extend(page.questions);
        all.rows.extend(page.rows);
        after = page.next;
        if after.is_none() {
            return Ok(all);
        }
    }
}

pub(super) async fn pages_hold_everything_once(bench: Bench) -> Verdict {
    let mut uid = 0;
    for n in 0..7 {
        // Some at the same time, with the same deadline: the order must still be whole.
        let question = || NewQuestion { expires: Some(Timestamp(n / 3)), expiry_way: true, notify: true, ..bench.question() };
        let opens = vec![question(), question()];
        let head = bench.running();
        uid = bench.send(Append { opens, head, rows: bench.rows(9), ..bench.create(&format!("t{n}"))? }).await?.uid;
    }
    for n in 0..5 {
        bench.send(Append { rows: bench.rows(3), snapshot: Some(vec![1]), ..bench.create(&format!("idle{n}"))? }).await?;
    }
    let scope = bench.scope.hash();
    let queries = [
        (Query::Threads { scope: Some(scope), status: vec![] }, 12),
        (Query::Threads { scope: None, status: vec![] }, 12),
        (Query::Running, 7),
        (Query::Long { keep: 0 }, 5),
        (Query::Rested { before: Timestamp(i64::MAX) }, 5),
        (inbox(&bench.scope), 14),
        (Query::Open { scope: None, graph: None, place: None, label: None, opened_before: None }, 14),
        (Query::Due { now: Timestamp(100) }, 14),
        (Query::Outbox, 14),
        (Query::History { scope, uid }, 9),
    ];
    for (query, count) in queries {
        let whole = bench.list(&query).await?;
        same(&format!("items of {query:?}"), whole.threads.len() + whole.questions.len() + whole.rows.len(), count)?;
        same("its next page", whole.next.clone(), None)?;
        for limit in 1..=count + 1 {
            same(&format!("{query:?} in pages of {limit}"), walk(&bench, &query, limit).await?, whole.clone())?;
        }
    }
    Ok(())
}

pub(super) async fn limits_are_clamped(bench: Bench) -> Verdict {
    let begun = bench.send(Append { rows: bench.rows(512), ..bench.create("t")? }).await?;
    let at = bench.send(Append { rows: bench.rows(512), ..bench.next(begun) }).await?;
    let query = Query::History { scope: bench.scope.hash(), uid: at.uid };
    for (limit, expected) in [(0, 1), (1, 1), (999, 999), (1_000, 1_000), (1_001, 1_000), (usize::MAX, 1_000)] {
        let page = bench.store.list(&query, Page { after: None, limit }).await?;
        same(&format!("rows of a page of {limit}"), page.rows.len(), expected)?;
        ensure(page.next.is_some(), || format!("a page of {limit} names no next"))?;
    }
    Ok(())
}

pub(super) async fn cursors_of_others_are_refused(bench: Bench) -> Verdict {
    let opens = vec![bench.question(), bench.question()];
    let at = bench.send(Append { opens, rows: bench.rows(2), ..bench.create("a")? }).await?;
    bench.begin("b").await?;
    let scope = bench.scope.hash();
    let queries = [Query::Threads { scope: Some(scope), status: vec![] }, inbox(&bench.scope), Query::History { scope, uid: at.uid }];
    let mut cursors = Vec::new();
    for query in &queries {
        let next = bench.store.list(query, Page { after: None, limit: 1 }).await?.next;
        cursors.push(next.ok_or_else(|| Failure(format!("{query:?} has one page")))?);
    }
    for (n, query) in queries.iter().enumerate() {
        for (m, cursor) in cursors.iter().enumerate() {
            let found = bench.store.list(query, Page { after: Some(cursor.clone()), limit: 1 }).await;
            let expected = if n == m { found.is_ok() } else { matches!(found, Err(StoreError::Cursor)) };
            ensure(expected, || format!("cursor `{cursor}` of another listing gave {found:?}"))?;
        }
    }
    Ok(())
}

pub(super) async fn history_is_in_order(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for count in [3, 1, 2] {
        at = bench.send(Append { rows: bench.rows(count), ..bench.next(at) }).await?;
    }
    same("the history", bench.history(at.uid).await?.rows, bench.loaded("t").await?.rows)
}
