//! What is too large, just below and just above.

use super::Verdict;
use super::bench::{Bench, graph, is_too_large, same};
use crate::store::{Append, AppendError, Appended, Head, MAX_BYTES, MAX_LABELS, MAX_PATH_BYTES, MAX_TEXT_BYTES, NewQuestion, NewRow};

fn one(bench: &Bench, at: Appended, bytes: usize) -> Append {
    Append { rows: vec![NewRow { body: vec![7; bytes], ..bench.row() }], ..bench.next(at) }
}

pub(super) async fn a_body_of_one_mebibyte(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let body: Vec<u8> = (0..=u8::MAX).cycle().take(1 << 20).collect();
    let rows = vec![NewRow { body: body.clone(), ..bench.row() }];
    let opens = vec![NewQuestion { body: body.clone(), ..bench.question() }];
    let at = bench.send(Append { rows, opens, ..bench.next(begun) }).await?;
    let loaded = bench.loaded("t").await?;
    same("the row came back", loaded.rows.last().is_some_and(|row| row.row.body == body), true)?;
    same("the question came back", loaded.open.first().is_some_and(|row| row.question.body == body), true)?;
    bench.send(Append { snapshot: Some(body.clone()), ..bench.next(at) }).await?;
    let snapshot = bench.loaded("t").await?.snapshot;
    same("the snapshot came back", snapshot.is_some_and(|snapshot| snapshot.body == body), true)
}

pub(super) async fn a_body_at_the_limit(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for bytes in [MAX_BYTES - 1, MAX_BYTES] {
        at = bench.send(one(&bench, at, bytes)).await?;
        let found = bench.loaded("t").await?.rows.pop().map(|row| row.row.body.len());
        same("the row", found, Some(bytes))?;
    }
    Ok(())
}

pub(super) async fn a_body_above_the_limit_leaves_no_trace(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    bench.refused(one(&bench, begun, MAX_BYTES + 1), is_too_large).await?;
    let rows = vec![bench.row(), NewRow { body: vec![7; MAX_BYTES + 1], ..bench.row() }];
    bench.refused(Append { rows, ..bench.next(begun) }, is_too_large).await?;
    bench.step(begun).await.map(drop)
}

pub(super) async fn a_snapshot_above_the_limit(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    bench.refused(Append { snapshot: Some(vec![7; MAX_BYTES + 1]), ..bench.next(begun) }, is_too_large).await
}

pub(super) async fn a_question_above_the_limit(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let opens = vec![NewQuestion { body: vec![7; MAX_BYTES + 1], ..bench.question() }];
    bench.refused(Append { opens, ..bench.next(begun) }, is_too_large).await
}

pub(super) async fn an_append_above_four_limits(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let row = NewRow { body: vec![7; MAX_BYTES], ..bench.row() };
    let rows = vec![row.clone(), row.clone(), row.clone(), row, NewRow { body: vec![7], ..bench.row() }];
    bench.refused(Append { rows, ..bench.next(begun) }, is_too_large).await
}

pub(super) async fn texts_at_and_above_their_limits(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    for (path, text, fits) in
        [(MAX_PATH_BYTES, MAX_TEXT_BYTES, true), (MAX_PATH_BYTES + 1, MAX_TEXT_BYTES, false), (MAX_PATH_BYTES, MAX_TEXT_BYTES + 1, false)]
    {
        let (path, text) = ("p".repeat(path), "t".repeat(text));
        let appends = [
            Append { rows: vec![NewRow { path: path.clone(), place: text.clone(), ..bench.row() }], ..bench.next(at) },
            Append { opens: vec![NewQuestion { path, place: text.clone(), ..bench.question() }], ..bench.next(at) },
        ];
        for append in appends {
            if fits {
                at = bench.send(Append { target: bench.next(at).target, ..append }).await?;
            } else {
                bench.refused(append, is_too_large).await?;
            }
        }
    }
    let text = "t".repeat(MAX_TEXT_BYTES + 1);
    bench.refused(Append { request: Some(text.clone()), ..bench.next(at) }, is_too_large).await?;
    bench.refused(Append { head: Head { graph: graph(&text, 1), ..bench.head() }, ..bench.next(at) }, is_too_large).await?;
    bench.refused(Append { opens: vec![NewQuestion { labels: vec![text], ..bench.question() }], ..bench.next(at) }, is_too_large).await
}

pub(super) async fn labels_at_and_above_their_limit(bench: Bench) -> Verdict {
    let labels = |count: usize| (0..count).map(|n| format!("label {n}")).collect::<Vec<_>>();
    let question = NewQuestion { labels: labels(MAX_LABELS), ..bench.question() };
    let at = bench.ask("t", &question).await?;
    let found = bench.store.question(bench.scope.hash(), at.uid, question.id).await?;
    same("the labels", found.map(|row| row.question.labels), Some(labels(MAX_LABELS)))?;
    let opens = vec![NewQuestion { labels: labels(MAX_LABELS + 1), ..bench.question() }];
    bench.refused(Append { opens, ..bench.next(at) }, |error| matches!(error, AppendError::TooMany { .. })).await
}
