//! Request keys: a turn that is asked for twice is taken once.

use super::Verdict;
use super::bench::{Bench, same};
use crate::store::{Append, AppendError, Appended, NewQuestion, Query, Row, Seq};

fn with(append: Append, key: &str) -> Append {
    Append { request: Some(key.to_owned()), ..append }
}

fn is_duplicate(of: Seq) -> impl Fn(&AppendError) -> bool {
    move |error| *error == AppendError::Duplicate(of)
}

fn query(bench: &Bench, at: Appended, key: &str) -> Query {
    Query::Request { scope: bench.scope.hash(), uid: at.uid, key: key.to_owned() }
}

pub(super) async fn a_request_is_taken_once(bench: Bench) -> Verdict {
    let begun = bench.send(with(bench.create("t")?, "a")).await?;
    let at = bench.send(with(bench.next(begun), "b")).await?;
    bench.refused(with(bench.next(at), "a"), is_duplicate(begun.seq)).await?;
    bench.refused(with(bench.next(at), "b"), is_duplicate(at.seq)).await?;
    bench.send(with(bench.next(at), "A")).await.map(drop)
}

pub(super) async fn a_refused_request_leaves_no_trace(bench: Bench) -> Verdict {
    let begun = bench.send(with(bench.create("t")?, "a")).await?;
    let opens = vec![NewQuestion { notify: true, ..bench.question() }];
    let append = Append { opens, rows: bench.rows(3), head: bench.running(), snapshot: Some(vec![1]), ..bench.next(begun) };
    bench.refused(with(append, "a"), is_duplicate(begun.seq)).await?;
    bench.step(begun).await.map(drop)
}

pub(super) async fn a_resent_append_is_no_second_request(bench: Bench) -> Verdict {
    let create = with(bench.create("t")?, "a");
    let begun = bench.send(create.clone()).await?;
    same("the create again", bench.send(create).await?, begun)?;
    let append = with(bench.next(begun), "b");
    let at = bench.send(append.clone()).await?;
    same("the append again", bench.send(append).await?, at)
}

pub(super) async fn threads_have_their_own_requests(bench: Bench) -> Verdict {
    bench.send(with(bench.create("a")?, "key")).await?;
    bench.send(with(bench.create("b")?, "key")).await?;
    bench.tenant(&["acme"])?.send(with(bench.tenant(&["acme"])?.create("a")?, "key")).await.map(drop)
}

pub(super) async fn a_request_finds_its_row(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let at = bench.send(with(Append { rows: bench.rows(3), ..bench.next(begun) }, "key")).await?;
    bench.step(at).await?;
    let last: Vec<Row> = bench.loaded("t").await?.rows.into_iter().filter(|row| row.seq == at.seq).collect();
    same("one row of that number", last.len(), 1)?;
    same("the row", bench.list(&query(&bench, at, "key")).await?.rows, last)?;
    for unknown in ["", "KEY", "key ", "%"] {
        same("the row of an unknown key", bench.list(&query(&bench, at, unknown)).await?.rows.len(), 0)?;
    }
    Ok(())
}
