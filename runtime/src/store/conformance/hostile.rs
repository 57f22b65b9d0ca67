//! Texts and bytes that somebody chose to do harm.

use super::bench::{Bench, ensure, graph, is_invalid, same};
use super::{Failure, Verdict};
use crate::store::{Append, Head, NewQuestion, NewRow, Page, Query, StoreError};

/// What looks like another language, or like another text.
const TEXTS: [&str; 24] = [
    "'",
    "\"",
    "';--",
    "' OR '1'='1",
    "\"); DROP TABLE gw_thread; --",
    "$1",
    "?1",
    ":name",
    "@x",
    "%",
    "_",
    "*",
    "\\",
    "]]>",
    "{}",
    "1",
    "01",
    "é",
    "e\u{301}",
    "É",
    "😀",
    "👩‍👩‍👧",
    "𝄞 clef",
    "\u{10ffff}",
];

pub(super) async fn names_are_compared_byte_by_byte(bench: Bench) -> Verdict {
    let longest = "ß".repeat(127);
    let names = TEXTS.into_iter().filter(|text| !text.contains('\u{200d}')).chain(["a ", "a", " a", "../a", "a/../b", "A"]);
    let names: Vec<_> = names.chain([longest.as_str()]).collect();
    for name in &names {
        same(&format!("a thread named {name:?} before"), bench.load(name).await?, None)?;
        bench.begin(name).await?;
    }
    let mut uids = Vec::new();
    for name in &names {
        let loaded = bench.loaded(name).await?;
        same("the name", loaded.name.as_str(), *name)?;
        uids.push(loaded.uid);
    }
    let query = Query::Threads { scope: Some(bench.scope.hash()), status: vec![] };
    same("all of them", bench.list(&query).await?.threads.iter().map(|thread| thread.uid).collect(), uids)
}

pub(super) async fn bodies_come_back_byte_for_byte(bench: Bench) -> Verdict {
    let every: Vec<u8> = (0..=u8::MAX).collect();
    let lone_surrogate = vec![0xed, 0xa0, 0x80];
    let escaped = br#"{"a":"\ud800"}"#.to_vec();
    let bodies = [vec![], vec![0], vec![0; 100], every, lone_surrogate, escaped, vec![0xff; 3], b"'); DROP TABLE gw_row; --".to_vec()];
    let mut at = bench.begin("t").await?;
    for body in bodies {
        let question = NewQuestion { body: body.clone(), ..bench.question() };
        let rows = vec![NewRow { body: body.clone(), ..bench.row() }];
        at = bench.send(Append { rows, opens: vec![question.clone()], ..bench.next(at) }).await?;
        let row = bench.loaded("t").await?.rows.pop();
        same("the row", row.map(|row| row.row.body), Some(body.clone()))?;
        let found = bench.store.question(bench.scope.hash(), at.uid, question.id).await?;
        same("the question", found.map(|row| row.question.body), Some(body.clone()))?;
        at = bench.send(Append { snapshot: Some(body.clone()), ..bench.next(at) }).await?;
        let loaded = bench.loaded("t").await?;
        same("the size of the snapshot", loaded.snapshot_bytes, body.len() as u64)?;
        same("the snapshot", loaded.snapshot.map(|snapshot| snapshot.body), Some(body))?;
    }
    Ok(())
}

pub(super) async fn texts_come_back_as_they_were(bench: Bench) -> Verdict {
    for (n, text) in TEXTS.into_iter().chain(["\n", "\u{1b}[31m", "\u{202e}", "\u{feff}", ""]).enumerate() {
        let text = text.to_owned();
        let row = NewRow { path: text.clone(), place: text.clone(), ..bench.row() };
        let question = NewQuestion { path: text.clone(), place: text.clone(), labels: vec![text.clone()], ..bench.question() };
        let head = Head { graph: graph(&text, 1), ..bench.head() };
        let request = Some(text.clone());
        let sent = Append { rows: vec![row.clone()], opens: vec![question.clone()], head, request, ..bench.create(&format!("t{n}"))? };
        let at = bench.send(sent.clone()).await?;
        let loaded = bench.loaded(&format!("t{n}")).await?;
        same("the row", loaded.rows.iter().map(|row| row.row.clone()).collect(), vec![row])?;
        same("the question", loaded.open.iter().map(|row| row.question.clone()).collect(), vec![question])?;
        same("the graph", loaded.head.graph, sent.head.graph)?;
        let query = Query::Request { scope: bench.scope.hash(), uid: at.uid, key: text };
        same("the request", bench.list(&query).await?.rows, loaded.rows)?;
    }
    Ok(())
}

pub(super) async fn filters_are_no_patterns(bench: Bench) -> Verdict {
    for (n, text) in TEXTS.into_iter().enumerate() {
        let question = NewQuestion { place: text.to_owned(), labels: vec![text.to_owned()], ..bench.question() };
        let head = Head { graph: graph(text, 1), ..bench.head() };
        bench.send(Append { opens: vec![question], head, ..bench.create(&format!("t{n}"))? }).await?;
    }
    let scope = bench.scope.hash();
    for text in TEXTS {
        let text = Some(text.to_owned());
        for query in [
            Query::Open { scope: Some(scope), graph: text.clone(), place: None, label: None, opened_before: None },
            Query::Open { scope: Some(scope), graph: None, place: text.clone(), label: None, opened_before: None },
            Query::Open { scope: Some(scope), graph: None, place: None, label: text.clone(), opened_before: None },
        ] {
            let found = bench.list(&query).await?.questions;
            same(
                &format!("questions of {query:?}"),
                found.iter().map(|row| Some(row.question.place.clone())).collect(),
                vec![text.clone()],
            )?;
        }
    }
    Ok(())
}

pub(super) async fn a_nul_in_a_text_is_refused(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    let nul = || "a\0b".to_owned();
    let question = || bench.question();
    let appends = [
        Append { rows: vec![NewRow { path: nul(), ..bench.row() }], ..bench.next(begun) },
        Append { rows: vec![bench.row(), NewRow { place: nul(), ..bench.row() }], ..bench.next(begun) },
        Append { head: Head { graph: graph("\0", 1), ..bench.head() }, ..bench.next(begun) },
        Append { request: Some(nul()), ..bench.next(begun) },
        Append { opens: vec![NewQuestion { path: nul(), ..question() }], ..bench.next(begun) },
        Append { opens: vec![NewQuestion { place: nul(), ..question() }], ..bench.next(begun) },
        Append { opens: vec![question(), NewQuestion { labels: vec![nul()], ..question() }], ..bench.next(begun) },
    ];
    for append in appends {
        bench.refused(append, is_invalid).await?;
    }
    // Asked for, it is simply not there.
    let scope = bench.scope.hash();
    let query = Query::Open { scope: Some(scope), graph: Some(nul()), place: Some(nul()), label: Some(nul()), opened_before: None };
    same("questions", bench.list(&query).await?.questions.len(), 0)?;
    let query = Query::Request { scope, uid: begun.uid, key: nul() };
    same("requests", bench.list(&query).await?.rows.len(), 0)
}

pub(super) async fn cursors_are_checked(bench: Bench) -> Verdict {
    let question = NewQuestion { notify: true, ..bench.question() };
    let at = bench.ask("t", &question).await?;
    let scope = bench.scope.hash();
    let long = "9".repeat(10_000);
    let made_up = [
        "",
        ".",
        "t",
        "t.",
        "t.x",
        "t.-1",
        "t.1.2",
        "t.18446744073709551615",
        "t.9223372036854775808",
        "r.1e3",
        "q.1.2",
        "q.1.2.3",
        "q.x.1.0",
        "q.0.0.00000000000000000000000000000000.",
        "q.9223372036854775808.0.00000000000000000000000000000000",
        "\0",
        "' OR 1=1 --",
        "😀",
        &long,
    ];
    for query in [Query::Threads { scope: Some(scope), status: vec![] }, Query::Outbox, Query::History { scope, uid: at.uid }] {
        for cursor in made_up {
            let found = bench.store.list(&query, Page { after: Some(cursor.to_owned()), limit: 1 }).await;
            ensure(matches!(found, Err(StoreError::Cursor)), || format!("cursor {cursor:?} gave {found:?}"))?;
        }
    }
    let found = bench.store.list(&Query::Running, Page { after: Some("t.9223372036854775807".to_owned()), limit: 1 }).await?;
    same("behind everything", found.threads.len(), 0)?;
    bench.loaded("t").await.map(drop).map_err(|Failure(what)| Failure(format!("after it all: {what}")))
}
