//! A thread of another scope is a thread that does not exist: for every call, with the same answer.

use super::bench::{Bench, answered, inbox, same};
use super::{Failure, Verdict};
use crate::store::{Append, AppendError, Appended, NewQuestion, Point, Query};

/// One tenant's thread, and another tenant.
async fn two(bench: &Bench) -> Result<(Bench, Bench, Appended, NewQuestion), Failure> {
    let (own, other) = (bench.tenant(&["acme", "support"])?, bench.tenant(&["acme"])?);
    let question = bench.question();
    let append = Append { opens: vec![question.clone()], request: Some("r".to_owned()), ..own.create("t")? };
    let at = own.send(append).await?;
    let at = own.send(Append { snapshot: Some(vec![1]), ..own.next(at) }).await?;
    Ok((own, other, at, question))
}

pub(super) async fn load_in_another_scope_finds_nothing(bench: Bench) -> Verdict {
    let (own, other, at, _) = two(&bench).await?;
    same("by name", other.load("t").await?, None)?;
    same("by uid", other.store.load(&other.uid(at.uid), Point::Head).await?, None)?;
    same("by uid at a point", other.store.load(&other.uid(at.uid), Point::Seq(1)).await?, None)?;
    same("its own", own.loaded("t").await?.uid, at.uid)
}

pub(super) async fn append_in_another_scope_is_gone(bench: Bench) -> Verdict {
    let (own, other, at, question) = two(&bench).await?;
    let before = own.everything().await?;
    let missing = other.store.append(other.next(Appended { uid: at.uid + 1, ..at })).await;
    let answers = [
        other.store.append(other.next(at)).await,
        other.store.append(other.next(Appended { seq: 0, ..at })).await,
        other.store.append(Append { shuts: vec![answered(&question)], ..other.next(at) }).await,
    ];
    for answer in answers {
        same("the answer", answer, missing.clone())?;
    }
    same("the answer for a missing one", missing, Err(AppendError::Gone))?;
    // The owner's own append, replayed by somebody else.
    let replay = own.next(at);
    own.send(replay.clone()).await?;
    let stolen = Append { target: other.next(at).target, ..replay };
    same("a commit id of the owner", other.store.append(stolen).await, Err(AppendError::Gone))?;
    same("the owner's rows", own.loaded("t").await?.seq, at.seq + 1)?;
    same("changes before it", before.len(), own.everything().await?.len())
}

pub(super) async fn question_in_another_scope_finds_nothing(bench: Bench) -> Verdict {
    let (own, other, at, question) = two(&bench).await?;
    same("another's", other.store.question(other.scope.hash(), at.uid, question.id).await?, None)?;
    let found = own.store.question(own.scope.hash(), at.uid, question.id).await?;
    same("its own", found.map(|row| row.question), Some(question))
}

pub(super) async fn lists_in_another_scope_are_empty(bench: Bench) -> Verdict {
    let (own, other, at, question) = two(&bench).await?;
    let queries = |scope| {
        [
            Query::Threads { scope: Some(scope), status: vec![] },
            Query::History { scope, uid: at.uid },
            Query::Request { scope, uid: at.uid, key: "r".to_owned() },
        ]
    };
    for (theirs, ours) in queries(other.scope.hash()).iter().zip(queries(own.scope.hash())) {
        same("another's", other.list(theirs).await?, Default::default())?;
        let found = own.list(&ours).await?;
        same("its own is there", found.threads.len() + found.rows.len() > 0, true)?;
    }
    same("another's inbox", other.list(&inbox(&other.scope)).await?.questions.len(), 0)?;
    same("its own inbox", own.list(&inbox(&own.scope)).await?.questions.len(), 1)?;
    // Of all scopes, where nobody is named: each row says whose it is.
    let (theirs, asked) = (other.begin("t").await?, other.question());
    other.send(Append { opens: vec![asked.clone()], ..other.next(theirs) }).await?;
    let threads = own.list(&Query::Threads { scope: None, status: vec![] }).await?.threads;
    let of: Vec<_> = threads.iter().map(|row| (row.scope, row.uid)).collect();
    same("threads of all", of, vec![(own.scope.hash(), at.uid), (other.scope.hash(), theirs.uid)])?;
    let open = |graph: Option<&str>, label: Option<&str>| Query::Open {
        scope: None,
        graph: graph.map(str::to_owned),
        place: None,
        label: label.map(str::to_owned),
        opened_before: None,
    };
    let questions = own.list(&open(None, None)).await?.questions;
    let mut of: Vec<_> = questions.iter().map(|row| (row.scope, row.question.id)).collect();
    let mut both = vec![(own.scope.hash(), question.id), (other.scope.hash(), asked.id)];
    of.sort();
    both.sort();
    same("questions of all", of, both)?;
    same("of a graph", own.list(&open(Some("Support"), None)).await?.questions.len(), 2)?;
    same("of no graph", own.list(&open(Some("support"), None)).await?.questions.len(), 0)?;
    same("of no label", own.list(&open(None, Some("no such label"))).await?.questions.len(), 0)
}

pub(super) async fn delete_in_another_scope_does_nothing(bench: Bench) -> Verdict {
    let (own, other, at, _) = two(&bench).await?;
    let before = own.everything().await?;
    same("by name", other.store.delete(&other.key("t")?).await?, false)?;
    same("by uid", other.store.delete(&other.uid(at.uid)).await?, false)?;
    same("everything", own.everything().await?, before)
}

pub(super) async fn prune_in_another_scope_does_nothing(bench: Bench) -> Verdict {
    let (own, other, at, _) = two(&bench).await?;
    let before = own.everything().await?;
    same("by name", other.store.prune(&other.key("t")?, at.seq).await?, 0)?;
    same("by uid", other.store.prune(&other.uid(at.uid), at.seq).await?, 0)?;
    same("everything", own.everything().await?, before)?;
    same("its own", own.store.prune(&own.uid(at.uid), at.seq).await?, 1)
}

pub(super) async fn one_name_in_two_scopes_is_two_threads(bench: Bench) -> Verdict {
    let (a, b) = (bench.tenant(&["a"])?, bench.tenant(&["b"])?);
    let (in_a, in_b) = (a.begin("t").await?, b.begin("t").await?);
    same("one uid", in_a.uid == in_b.uid, false)?;
    a.step(in_a).await?;
    same("the other's version", b.loaded("t").await?.seq, 1)?;
    same("deleting", a.store.delete(&a.key("t")?).await?, true)?;
    same("the other's version", b.loaded("t").await?.seq, 1)
}

pub(super) async fn scopes_are_compared_by_segment(bench: Bench) -> Verdict {
    let paths: [&[&str]; 7] = [&[], &["a"], &["a", "b"], &["a/b"], &["ab"], &["A"], &["b", "a"]];
    for path in paths {
        let tenant = bench.tenant(path)?;
        same(&format!("a thread in {path:?}"), tenant.load("t").await?, None)?;
        tenant.begin("t").await?;
    }
    Ok(())
}
