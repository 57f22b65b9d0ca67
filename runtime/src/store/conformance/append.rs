//! The compare-and-swap.

use super::bench::{Bench, answered, ensure, graph, inbox, is_conflict, is_invalid, same};
use super::{Failure, Verdict};
use crate::clock::Timestamp;
use crate::id::{CommitId, RunId, ThreadId};
use crate::store::{Append, AppendError, AppendTarget, Appended, Head, MAX_ROWS, NewQuestion, NewRow, Point, Query, Row, RowKind, Status};

pub(super) async fn a_new_thread_begins_at_its_rows(bench: Bench) -> Verdict {
    same("nothing was there", bench.load("t").await?, None)?;
    let rows = bench.rows(3);
    let begun = bench.send(Append { rows, ..bench.create("t")? }).await?;
    same("the version of three rows", begun.seq, 3)?;
    let loaded = bench.loaded("t").await?;
    same("uid and version", (loaded.uid, loaded.seq), (begun.uid, 3))?;
    same("the oldest row", loaded.first_seq, 1)?;
    same("the snapshot", loaded.snapshot, None)
}

pub(super) async fn what_was_appended_is_loaded(bench: Bench) -> Verdict {
    let run = RunId(bench.id());
    let row = NewRow { run: Some(run), kind: RowKind::Input, ..bench.row() };
    let sent = Append { rows: vec![row.clone(), bench.row()], head: bench.running(), ..bench.create("t")? };
    bench.send(sent.clone()).await?;
    let loaded = bench.loaded("t").await?;
    let rows = (1..).zip(sent.rows).map(|(seq, row)| Row { seq, commit: sent.commit, graph: sent.head.graph.clone(), row });
    same("the rows", loaded.rows, rows.collect())?;
    same("the head", loaded.head, sent.head)?;
    same("the name", loaded.name.as_str(), "t")
}

pub(super) async fn rows_are_numbered_without_gaps(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for count in [1, 2, 3, 5] {
        let rows = bench.rows(count);
        at = bench.send(Append { rows, ..bench.next(at) }).await?;
    }
    let loaded = bench.loaded("t").await?;
    same("the head's version", loaded.seq, 12)?;
    same("the rows", loaded.rows.iter().map(|row| row.seq).collect(), (1..=12).collect::<Vec<_>>())
}

pub(super) async fn twice_with_one_commit_id_is_once(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let append = bench.next(begun);
    let first = bench.send(append.clone()).await?;
    let after = bench.everything().await?;
    same("the second answer", bench.send(append).await?, first)?;
    same("everything after the second", bench.everything().await?, after)
}

pub(super) async fn a_create_sent_twice_is_once(bench: Bench) -> Verdict {
    let append = Append { rows: bench.rows(2), ..bench.create("t")? };
    let first = bench.send(append.clone()).await?;
    same("the second answer", bench.send(append.clone()).await?, first)?;
    bench.step(first).await?;
    same("the answer after another commit", bench.send(append).await?, first)?;
    same("the version", bench.loaded("t").await?.seq, 3)
}

pub(super) async fn an_append_resent_late_gets_its_answer(bench: Bench) -> Verdict {
    let append = bench.next(bench.begin("t").await?);
    let first = bench.send(append.clone()).await?;
    let mut at = first;
    for _ in 0..3 {
        at = bench.step(at).await?;
    }
    same("the late answer", bench.send(append).await?, first)?;
    same("the version", bench.loaded("t").await?.seq, at.seq)
}

pub(super) async fn a_batch_resent_gets_its_last_row(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let append = Append { rows: bench.rows(4), ..bench.next(begun) };
    let first = bench.send(append.clone()).await?;
    same("the version of the batch", first.seq, begun.seq + 4)?;
    bench.step(first).await?;
    same("the late answer", bench.send(append).await?, first)
}

pub(super) async fn an_intention_may_go_on_after_a_conflict(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let mine = bench.next(begun);
    let theirs = bench.step(begun).await?;
    bench.refused(mine.clone(), is_conflict).await?;
    let again = bench.send(Append { commit: mine.commit, ..bench.next(theirs) }).await?;
    same("the version", again.seq, theirs.seq + 1)?;
    same("the first one, resent late", bench.send(mine).await?, again)
}

pub(super) async fn commit_ids_of_another_thread_answer_nothing(bench: Bench) -> Verdict {
    let (a, b) = (bench.begin("a").await?, bench.begin("b").await?);
    let commit = CommitId(bench.id());
    bench.send(Append { commit, ..bench.next(a) }).await?;
    let other = bench.next(b);
    bench.step(b).await?;
    bench.refused(Append { commit, ..other }, is_conflict).await?;
    bench.refused(Append { commit, ..bench.create("b")? }, |error| matches!(error, AppendError::Exists)).await
}

pub(super) async fn an_old_version_conflicts(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    bench.step(begun).await?;
    bench.refused(bench.next(begun), is_conflict).await?;
    bench.refused(bench.next(Appended { seq: 0, ..begun }), is_conflict).await
}

pub(super) async fn a_version_to_come_conflicts(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    for ahead in [1, 2, 1_000, u64::from(u32::MAX)] {
        bench.refused(bench.next(Appended { seq: begun.seq + ahead, ..begun }), is_conflict).await?;
    }
    Ok(())
}

/// An append that writes to every table there is.
fn everywhere(bench: &Bench, append: Append, closes: &NewQuestion) -> Append {
    Append {
        rows: bench.rows(2),
        head: Head { graph: graph("Another", 2), ..bench.running() },
        opens: vec![NewQuestion { notify: true, expiry_way: true, expires: Some(Timestamp(0)), ..bench.question() }],
        shuts: vec![answered(closes)],
        snapshot: Some(vec![1, 9]),
        request: Some("order-1".to_owned()),
        ..append
    }
}

pub(super) async fn a_conflict_leaves_no_trace(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    let stale = everywhere(&bench, bench.next(asked), &question);
    let at = bench.step(asked).await?;
    bench.refused(stale, is_conflict).await?;
    same("the question", bench.loaded("t").await?.open.len(), 1)?;
    same("the request", requested(&bench, at).await?, 0)?;
    // The same, not stale, does leave its traces: the test above could see them.
    let done = bench.send(everywhere(&bench, bench.next(at), &question)).await?;
    same("the request of the one that counts", requested(&bench, done).await?, 1)
}

async fn requested(bench: &Bench, at: Appended) -> Result<usize, Failure> {
    let query = Query::Request { scope: bench.scope.hash(), uid: at.uid, key: "order-1".to_owned() };
    Ok(bench.list(&query).await?.rows.len())
}

pub(super) async fn a_second_create_is_refused_and_leaves_no_trace(bench: Bench) -> Verdict {
    let question = bench.question();
    bench.ask("t", &question).await?;
    let second = Append { opens: vec![bench.question()], snapshot: Some(vec![1]), ..bench.create("t")? };
    bench.refused(second, |error| matches!(error, AppendError::Exists)).await
}

pub(super) async fn a_thread_that_never_was_is_gone(bench: Bench) -> Verdict {
    let gone = |error: &AppendError| matches!(error, AppendError::Gone);
    bench.refused(bench.next(Appended { uid: 1, seq: 0 }), gone).await?;
    let begun = bench.begin("t").await?;
    bench.refused(bench.next(Appended { uid: begun.uid + 1, ..begun }), gone).await
}

pub(super) async fn numbers_beyond_counting_find_nothing(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    bench.refused(bench.next(Appended { uid: u64::MAX, ..begun }), |error| matches!(error, AppendError::Gone)).await?;
    bench.refused(bench.next(Appended { seq: u64::MAX, ..begun }), is_conflict).await?;
    bench.refused(bench.next(Appended { seq: i64::MAX as u64, ..begun }), is_conflict).await?;
    same("a uid of 2^64 - 1", bench.store.load(&bench.uid(u64::MAX), Point::Head).await?, None)?;
    same("its history", bench.history(u64::MAX).await?.rows.len(), 0)?;
    same("the last point there could be", bench.at(begun.uid, Point::Seq(u64::MAX)).await?.rows.len(), 1)
}

pub(super) async fn the_head_is_what_the_last_append_said(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    let idle = bench.loaded("t").await?.head;
    let heads = [
        bench.running(),
        Head { status: Status::Paused, ..idle.clone() },
        Head { status: Status::Stopped, graph: graph("Support", 2), ..idle.clone() },
        bench.running(),
        idle,
    ];
    for head in heads {
        at = bench.send(Append { head: head.clone(), ..bench.next(at) }).await?;
        same("the head", bench.loaded("t").await?.head, head)?;
    }
    Ok(())
}

pub(super) async fn the_time_of_the_head_never_falls(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for (given, kept) in [(5_000_000, 5_000_000), (4_999_999, 5_000_000), (-1, 5_000_000), (i64::MIN, 5_000_000), (5_000_001, 5_000_001)] {
        let head = Head { at: Timestamp(given), ..bench.head() };
        at = bench.send(Append { head, ..bench.next(at) }).await?;
        same("the time", bench.loaded("t").await?.head.at, Timestamp(kept))?;
    }
    Ok(())
}

pub(super) async fn the_times_of_rows_are_kept(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    let times = [9, 3, -4].map(Timestamp);
    for time in times {
        let rows = vec![NewRow { at: time, ..bench.row() }];
        at = bench.send(Append { rows, ..bench.next(at) }).await?;
    }
    let found = bench.loaded("t").await?.rows.iter().skip(1).map(|row| row.row.at).collect::<Vec<_>>();
    same("the times", found, times.to_vec())
}

pub(super) async fn each_row_keeps_its_graph(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    let graphs = [graph("Support", 2), graph("Support", 1), graph("Other", 1), graph("Support", u32::MAX)];
    for graph in graphs.clone() {
        let head = Head { graph, ..bench.head() };
        at = bench.send(Append { head, ..bench.next(at) }).await?;
    }
    let rows = bench.loaded("t").await?.rows;
    same("the graphs", rows.into_iter().skip(1).map(|row| row.graph).collect(), graphs.to_vec())
}

pub(super) async fn every_kind_of_row_is_kept(bench: Bench) -> Verdict {
    let kinds: Vec<_> = (1..=u8::MAX).map_while(RowKind::from_number).collect();
    same("the kinds there are", kinds.len(), 13)?;
    let rows = kinds.iter().map(|kind| NewRow { kind: *kind, ..bench.row() }).collect();
    bench.send(Append { rows, ..bench.create("t")? }).await?;
    same("the kinds", bench.loaded("t").await?.rows.iter().map(|row| row.row.kind).collect(), kinds)
}

pub(super) async fn no_rows_are_refused(bench: Bench) -> Verdict {
    bench.refused(Append { rows: Vec::new(), ..bench.create("t")? }, is_invalid).await?;
    let begun = bench.begin("t").await?;
    bench.refused(Append { rows: Vec::new(), ..bench.next(begun) }, is_invalid).await
}

pub(super) async fn the_most_rows_are_taken(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let rows = bench.rows(MAX_ROWS);
    let at = bench.send(Append { rows: rows.clone(), ..bench.next(begun) }).await?;
    same("the version", at.seq, 1 + MAX_ROWS as u64)?;
    same("the rows", bench.loaded("t").await?.rows.into_iter().skip(1).map(|row| row.row).collect(), rows)
}

pub(super) async fn more_rows_are_refused(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let append = Append { rows: bench.rows(MAX_ROWS + 1), ..bench.next(begun) };
    bench.refused(append, |error| matches!(error, AppendError::TooMany { count: 513, limit: 512, .. })).await
}

pub(super) async fn a_run_without_running_is_refused(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let running = bench.running();
    let heads = [
        Head { run: None, ..running.clone() },
        Head { status: Status::Idle, ..running.clone() },
        Head { status: Status::Paused, worker: None, ..running.clone() },
        Head { status: Status::Stopped, run: None, ..running.clone() },
    ];
    for head in heads {
        bench.refused(Append { head, ..bench.next(begun) }, is_invalid).await?;
    }
    // Claimed by no process: any may take it up.
    bench.send(Append { head: Head { worker: None, ..running }, ..bench.next(begun) }).await?;
    Ok(())
}

pub(super) async fn a_refused_append_can_be_mended(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let good = bench.next(begun);
    bench.refused(Append { rows: Vec::new(), ..good.clone() }, is_invalid).await?;
    same("the version", bench.send(good).await?.seq, begun.seq + 1)
}

pub(super) async fn extreme_values_are_kept(bench: Bench) -> Verdict {
    let row = NewRow { ord: i64::MAX as u64, at: Timestamp(i64::MAX), path: String::new(), place: String::new(), ..bench.row() };
    let rows = vec![NewRow { at: Timestamp(i64::MIN), ord: 0, ..row.clone() }, row];
    let head = Head { graph: graph("", u32::MAX), at: Timestamp(i64::MAX), ..bench.running() };
    let question = NewQuestion {
        generation: u32::MAX,
        expires: Some(Timestamp(i64::MIN)),
        path: String::new(),
        place: String::new(),
        labels: vec![String::new()],
        body: Vec::new(),
        ..bench.question()
    };
    let request = Some(String::new());
    let sent = Append { rows: rows.clone(), head: head.clone(), opens: vec![question.clone()], request, ..bench.create("t")? };
    bench.send(sent).await?;
    let loaded = bench.loaded("t").await?;
    same("the rows", loaded.rows.into_iter().map(|row| row.row).collect(), rows)?;
    same("the head", loaded.head, head)?;
    same("the question", loaded.open.into_iter().map(|open| open.question).collect(), vec![question])?;
    same("the inbox", bench.list(&inbox(&bench.scope)).await?.questions.len(), 1)
}

pub(super) async fn a_step_beyond_counting_is_refused(bench: Bench) -> Verdict {
    let rows = vec![NewRow { ord: 1 << 63, ..bench.row() }];
    bench.refused(Append { rows, ..bench.create("t")? }, is_invalid).await?;
    let name = ThreadId::new("t").map_err(|error| Failure(error.to_string()))?;
    let target = AppendTarget::New { scope: bench.scope.clone(), name, over: None };
    ensure(bench.store.append(Append { target, ..bench.create("x")? }).await.is_ok(), || {
        "the name was taken by a refused create".to_owned()
    })
}
