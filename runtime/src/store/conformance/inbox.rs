//! Questions over all threads: the inbox, what is due, and the messages to deliver.

use super::bench::{Bench, answered, graph, inbox, same, shut};
use super::{Failure, Verdict};
use crate::clock::Timestamp;
use crate::id::QuestionId;
use crate::store::{Append, Fate, Head, NewQuestion, NewRow, Query};

async fn ids(bench: &Bench, query: &Query) -> Result<Vec<QuestionId>, Failure> {
    Ok(bench.list(query).await?.questions.iter().map(|row| row.question.id).collect())
}

/// Asks in a thread of its own, at a time.
async fn ask_at(bench: &Bench, name: &str, at: i64, question: &NewQuestion) -> Verdict {
    let rows = vec![NewRow { at: Timestamp(at), ..bench.row() }];
    bench.send(Append { rows, opens: vec![question.clone()], ..bench.create(name)? }).await.map(drop)
}

pub(super) async fn by_place_graph_label_and_age(bench: Bench) -> Verdict {
    let a = NewQuestion { place: "approve".to_owned(), labels: vec!["x".to_owned(), "y".to_owned()], ..bench.question() };
    let b = NewQuestion { place: "review".to_owned(), labels: vec!["y".to_owned()], ..bench.question() };
    let c = NewQuestion { place: "review".to_owned(), labels: Vec::new(), ..bench.question() };
    ask_at(&bench, "a", 10, &a).await?;
    ask_at(&bench, "b", 20, &b).await?;
    let head = Head { graph: graph("Other", 1), ..bench.head() };
    let rows = vec![NewRow { at: Timestamp(30), ..bench.row() }];
    bench.send(Append { head, rows, opens: vec![c.clone()], ..bench.create("c")? }).await?;

    let scope = bench.scope.hash();
    let ask = |graph: Option<&str>, place: Option<&str>, label: Option<&str>, before: Option<i64>| Query::Open {
        scope: Some(scope),
        graph: graph.map(str::to_owned),
        place: place.map(str::to_owned),
        label: label.map(str::to_owned),
        opened_before: before.map(Timestamp),
    };
    let (a, b, c) = (a.id, b.id, c.id);
    for (what, query, expected) in [
        ("all", ask(None, None, None, None), vec![a, b, c]),
        ("a graph", ask(Some("Support"), None, None, None), vec![a, b]),
        ("another graph", ask(Some("Other"), None, None, None), vec![c]),
        ("no such graph", ask(Some("support"), None, None, None), vec![]),
        ("a place", ask(None, Some("review"), None, None), vec![b, c]),
        ("a label", ask(None, None, Some("y"), None), vec![a, b]),
        ("another label", ask(None, None, Some("x"), None), vec![a]),
        ("no such label", ask(None, None, Some("xy"), None), vec![]),
        ("an age, that moment included", ask(None, None, None, Some(20)), vec![a, b]),
        ("an age just before", ask(None, None, None, Some(19)), vec![a]),
    ] {
        same(what, ids(&bench, &query).await?, expected)?;
    }
    Ok(())
}

pub(super) async fn filters_go_together(bench: Bench) -> Verdict {
    let mut expected = Vec::new();
    for n in 0..16_u8 {
        let (place, label) = (if n & 1 == 0 { "approve" } else { "review" }, if n & 2 == 0 { "x" } else { "y" });
        let question = NewQuestion { place: place.to_owned(), labels: vec![label.to_owned()], ..bench.question() };
        let rows = vec![NewRow { at: Timestamp(if n & 4 == 0 { 10 } else { 20 }), ..bench.row() }];
        let head = Head { graph: graph(if n & 8 == 0 { "Support" } else { "Other" }, 1), ..bench.head() };
        bench.send(Append { head, rows, opens: vec![question.clone()], ..bench.create(&format!("t{n}"))? }).await?;
        if n == 0 {
            expected.push(question.id);
        }
    }
    let query = Query::Open {
        scope: Some(bench.scope.hash()),
        graph: Some("Support".to_owned()),
        place: Some("approve".to_owned()),
        label: Some("x".to_owned()),
        opened_before: Some(Timestamp(10)),
    };
    same("the one that fits all", ids(&bench, &query).await?, expected)
}

pub(super) async fn only_open_ones(bench: Bench) -> Verdict {
    let (a, b) = (bench.question(), bench.question());
    let asked = bench.ask("a", &a).await?;
    bench.ask("b", &b).await?;
    bench.send(Append { shuts: vec![answered(&a)], ..bench.next(asked) }).await?;
    same("the inbox", ids(&bench, &inbox(&bench.scope)).await?, vec![b.id])
}

pub(super) async fn oldest_first(bench: Bench) -> Verdict {
    let mut asked = Vec::new();
    for (n, at) in [30, 10, 20, i64::MIN + 1].into_iter().enumerate() {
        let question = bench.question();
        ask_at(&bench, &format!("t{n}"), at, &question).await?;
        asked.push((at, question.id));
    }
    asked.sort_unstable();
    same("the inbox", ids(&bench, &inbox(&bench.scope)).await?, asked.into_iter().map(|(_, id)| id).collect())
}

pub(super) async fn due_is_after_the_deadline(bench: Bench) -> Verdict {
    let question = NewQuestion { expires: Some(Timestamp(100)), expiry_way: true, ..bench.question() };
    bench.ask("t", &question).await?;
    for (now, due) in [(i64::MIN, 0), (99, 0), (100, 0), (101, 1), (i64::MAX, 1)] {
        same(&format!("due at {now}"), ids(&bench, &Query::Due { now: Timestamp(now) }).await?.len(), due)?;
    }
    Ok(())
}

pub(super) async fn due_needs_a_way_on_expiry(bench: Bench) -> Verdict {
    let without_way = NewQuestion { expires: Some(Timestamp(1)), ..bench.question() };
    let without_deadline = NewQuestion { expiry_way: true, ..bench.question() };
    let with_both = NewQuestion { expires: Some(Timestamp(1)), expiry_way: true, ..bench.question() };
    let asked = bench.ask("a", &without_way).await?;
    bench.ask("b", &without_deadline).await?;
    bench.send(Append { opens: vec![with_both.clone()], ..bench.next(asked) }).await?;
    same("due", ids(&bench, &Query::Due { now: Timestamp(i64::MAX) }).await?, vec![with_both.id])
}

pub(super) async fn due_is_in_order_of_deadlines_for_all_scopes(bench: Bench) -> Verdict {
    let mut expected = Vec::new();
    for (n, expires) in [30, 10, 20].into_iter().enumerate() {
        let tenant = bench.tenant(&[&format!("tenant-{n}")])?;
        let question = NewQuestion { expires: Some(Timestamp(expires)), expiry_way: true, ..bench.question() };
        tenant.ask("t", &question).await?;
        expected.push((expires, question.id));
    }
    expected.sort_unstable();
    let due = ids(&bench, &Query::Due { now: Timestamp(25) }).await?;
    same("due", due, expected.into_iter().filter(|(expires, _)| *expires < 25).map(|(_, id)| id).collect())
}

pub(super) async fn a_reissue_moves_what_is_due(bench: Bench) -> Verdict {
    let question = NewQuestion { expires: Some(Timestamp(100)), expiry_way: true, ..bench.question() };
    let asked = bench.ask("t", &question).await?;
    let reissue = shut(&question, Fate::Reissued { expires: Some(Timestamp(200)) });
    let at = bench.send(Append { shuts: vec![reissue], ..bench.next(asked) }).await?;
    same("due at 150", ids(&bench, &Query::Due { now: Timestamp(150) }).await?.len(), 0)?;
    same("due at 201", ids(&bench, &Query::Due { now: Timestamp(201) }).await?.len(), 1)?;
    let expired = shut(&NewQuestion { generation: 1, ..question }, Fate::Expired);
    bench.send(Append { shuts: vec![expired], ..bench.next(at) }).await?;
    same("due once it has expired", ids(&bench, &Query::Due { now: Timestamp(201) }).await?.len(), 0)
}

pub(super) async fn messages_wait_until_delivered(bench: Bench) -> Verdict {
    let loud = NewQuestion { notify: true, ..bench.question() };
    let asked = bench.tenant(&["acme"])?.ask("t", &loud).await?;
    bench.ask("silent", &bench.question()).await?;
    same("before", ids(&bench, &Query::Outbox).await?, vec![loud.id])?;
    for _ in 0..2 {
        bench.store.delivered(asked.uid, loud.id, 0).await?;
        same("after", ids(&bench, &Query::Outbox).await?.len(), 0)?;
    }
    bench.store.delivered(u64::MAX, loud.id, 0).await?;
    bench.store.delivered(asked.uid, QuestionId([7; 16]), 0).await?;
    same("the question is still open", bench.tenant(&["acme"])?.loaded("t").await?.open.len(), 1)
}

pub(super) async fn messages_of_shut_questions_are_dropped(bench: Bench) -> Verdict {
    let loud = NewQuestion { notify: true, ..bench.question() };
    let asked = bench.ask("t", &loud).await?;
    bench.send(Append { shuts: vec![answered(&loud)], ..bench.next(asked) }).await?;
    same("the outbox", ids(&bench, &Query::Outbox).await?.len(), 0)
}

pub(super) async fn a_reissue_is_another_message(bench: Bench) -> Verdict {
    let (loud, silent) = (NewQuestion { notify: true, ..bench.question() }, bench.question());
    let asked = bench.send(Append { opens: vec![loud.clone(), silent.clone()], ..bench.create("t")? }).await?;
    bench.store.delivered(asked.uid, loud.id, 0).await?;
    let shuts = [&loud, &silent].map(|question| shut(question, Fate::Reissued { expires: None })).to_vec();
    bench.send(Append { shuts, ..bench.next(asked) }).await?;
    let outbox = bench.list(&Query::Outbox).await?.questions;
    same("the outbox", outbox.iter().map(|row| (row.question.id, row.question.generation)).collect(), vec![(loud.id, 1)])
}

pub(super) async fn an_older_message_delivered_leaves_the_newer(bench: Bench) -> Verdict {
    let loud = NewQuestion { notify: true, ..bench.question() };
    let asked = bench.ask("t", &loud).await?;
    bench.send(Append { shuts: vec![shut(&loud, Fate::Reissued { expires: None })], ..bench.next(asked) }).await?;
    bench.store.delivered(asked.uid, loud.id, 0).await?;
    same("after the older", ids(&bench, &Query::Outbox).await?, vec![loud.id])?;
    bench.store.delivered(asked.uid, loud.id, 1).await?;
    same("after the newer", ids(&bench, &Query::Outbox).await?.len(), 0)
}
