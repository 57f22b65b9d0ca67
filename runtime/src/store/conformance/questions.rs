//! The table of questions, which every append keeps in step with the log.

use super::bench::{Bench, answered, is_corrupt, is_invalid, same, shut};
use super::{Failure, Verdict};
use crate::clock::Timestamp;
use crate::id::QuestionId;
use crate::store::{Append, Appended, Fate, NewQuestion, NewRow, Point, QuestionRow, QuestionState, Shut};

/// The record of a question that must be there.
async fn record(bench: &Bench, at: Appended, id: QuestionId) -> Result<QuestionRow, Failure> {
    let found = bench.store.question(bench.scope.hash(), at.uid, id).await?;
    found.ok_or_else(|| Failure(format!("there is no question {id}")))
}

pub(super) async fn what_was_opened_is_kept(bench: Bench) -> Verdict {
    let question = NewQuestion {
        generation: 3,
        expires: Some(Timestamp(77)),
        expiry_way: true,
        labels: ["b", "a", "b"].map(str::to_owned).to_vec(),
        notify: true,
        ..bench.question()
    };
    let rows = vec![bench.row(), NewRow { at: Timestamp(42), ..bench.row() }];
    let sent = Append { rows, opens: vec![question.clone()], ..bench.create("t")? };
    let at = bench.send(sent.clone()).await?;
    let expected = QuestionRow {
        scope: bench.scope.hash(),
        uid: at.uid,
        thread: super::bench::thread("t")?,
        question: question.clone(),
        state: QuestionState::Open,
        opened: 2,
        opened_at: Timestamp(42),
        closed: None,
        answer: None,
        graph: sent.head.graph,
    };
    same("the record", record(&bench, at, question.id).await?, expected.clone())?;
    same("loaded with its thread", bench.loaded("t").await?.open, vec![expected.clone()])?;
    bench.step(at).await?;
    same("after another commit", record(&bench, at, question.id).await?, expected)
}

pub(super) async fn an_answer_closes(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    let done = bench.send(Append { shuts: vec![answered(&question)], ..bench.next(asked) }).await?;
    let found = record(&bench, done, question.id).await?;
    same("state, row, digest", (found.state, found.closed, found.answer), (QuestionState::Answered, Some(done.seq), Some([6; 32])))?;
    same("what was asked", found.question, question)?;
    same("the open ones", bench.loaded("t").await?.open.len(), 0)
}

pub(super) async fn every_fate_is_kept(bench: Bench) -> Verdict {
    let fates = [
        (Fate::Answered { digest: [1; 32] }, QuestionState::Answered),
        (Fate::Abandoned, QuestionState::Abandoned),
        (Fate::Expired, QuestionState::Expired),
        (Fate::Superseded, QuestionState::Superseded),
    ];
    for (n, (fate, state)) in fates.into_iter().enumerate() {
        let question = bench.question();
        let asked = bench.ask(&format!("t{n}"), &question).await?;
        let done = bench.send(Append { shuts: vec![shut(&question, fate)], ..bench.next(asked) }).await?;
        let found = record(&bench, done, question.id).await?;
        same("state and row", (found.state, found.closed), (state, Some(done.seq)))?;
        same("whether an answer is kept", found.answer.is_some(), state == QuestionState::Answered)?;
    }
    Ok(())
}

pub(super) async fn a_reissue_stays_open_at_the_next_generation(bench: Bench) -> Verdict {
    let question = NewQuestion { expires: Some(Timestamp(10)), ..bench.question() };
    let asked = bench.ask("t", &question).await?;
    let reissue = shut(&question, Fate::Reissued { expires: Some(Timestamp(20)) });
    let at = bench.send(Append { shuts: vec![reissue], ..bench.next(asked) }).await?;
    let now = NewQuestion { generation: 1, expires: Some(Timestamp(20)), ..question };
    let found = record(&bench, at, now.id).await?;
    same("state and row", (found.state, found.closed, found.opened), (QuestionState::Open, None, asked.seq))?;
    same("the question", found.question, now.clone())?;
    let done = bench.send(Append { shuts: vec![answered(&now)], ..bench.next(at) }).await?;
    same("answered at its generation", record(&bench, done, now.id).await?.state, QuestionState::Answered)
}

pub(super) async fn a_reissue_may_lift_the_deadline(bench: Bench) -> Verdict {
    let question = NewQuestion { expires: Some(Timestamp(10)), ..bench.question() };
    let asked = bench.ask("t", &question).await?;
    let at = bench.send(Append { shuts: vec![shut(&question, Fate::Reissued { expires: None })], ..bench.next(asked) }).await?;
    same("the deadline", record(&bench, at, question.id).await?.question.expires, None)
}

pub(super) async fn a_second_answer_is_refused_and_leaves_no_trace(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    let done = bench.send(Append { shuts: vec![answered(&question)], ..bench.next(asked) }).await?;
    let opens = vec![bench.question()];
    let again = Append { shuts: vec![shut(&question, Fate::Abandoned)], opens, snapshot: Some(vec![1]), ..bench.next(done) };
    bench.refused(Append { request: Some("r".to_owned()), ..again }, is_corrupt).await?;
    same("the first answer", record(&bench, done, question.id).await?.state, QuestionState::Answered)?;
    same("the thread goes on", bench.step(done).await?.seq, done.seq + 1)
}

pub(super) async fn an_older_generation_is_refused(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    let at = bench.send(Append { shuts: vec![shut(&question, Fate::Reissued { expires: None })], ..bench.next(asked) }).await?;
    bench.refused(Append { shuts: vec![answered(&question)], ..bench.next(at) }, is_corrupt).await?;
    let ahead = Shut { generation: 2, ..answered(&question) };
    bench.refused(Append { shuts: vec![ahead], ..bench.next(at) }, is_corrupt).await
}

pub(super) async fn a_question_that_never_was_is_refused(bench: Bench) -> Verdict {
    let begun = bench.begin("t").await?;
    same("its record", bench.store.question(bench.scope.hash(), begun.uid, QuestionId([7; 16])).await?, None)?;
    bench.refused(Append { shuts: vec![answered(&bench.question())], ..bench.next(begun) }, is_corrupt).await?;
    // One of another thread is none of this one.
    let question = bench.question();
    bench.ask("other", &question).await?;
    bench.refused(Append { shuts: vec![answered(&question)], ..bench.next(begun) }, is_corrupt).await
}

pub(super) async fn opening_twice_is_refused_and_leaves_no_trace(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    bench.refused(Append { opens: vec![question.clone()], ..bench.next(asked) }, is_corrupt).await?;
    let twin = bench.question();
    bench.refused(Append { opens: vec![twin.clone(), twin], ..bench.next(asked) }, is_corrupt).await?;
    let done = bench.send(Append { shuts: vec![answered(&question)], ..bench.next(asked) }).await?;
    bench.refused(Append { opens: vec![question.clone()], ..bench.next(done) }, is_corrupt).await?;
    // In another thread the same id is another question.
    bench.ask("other", &question).await.map(drop)
}

pub(super) async fn changes_of_one_append_follow_each_other(bench: Bench) -> Verdict {
    let question = bench.question();
    let asked = bench.ask("t", &question).await?;
    let reissued = NewQuestion { generation: 1, ..question.clone() };
    let shuts = vec![shut(&question, Fate::Reissued { expires: None }), answered(&reissued)];
    let done = bench.send(Append { shuts, ..bench.next(asked) }).await?;
    let found = record(&bench, done, question.id).await?;
    same("state and generation", (found.state, found.question.generation), (QuestionState::Answered, 1))?;
    let twice = bench.question();
    let asked = bench.ask("twice", &twice).await?;
    bench.refused(Append { shuts: vec![answered(&twice), answered(&twice)], ..bench.next(asked) }, is_corrupt).await
}

pub(super) async fn shutting_and_opening_in_one_append(bench: Bench) -> Verdict {
    let (first, second) = (bench.question(), bench.question());
    let asked = bench.ask("t", &first).await?;
    let at = bench.send(Append { shuts: vec![answered(&first)], opens: vec![second.clone()], ..bench.next(asked) }).await?;
    let open = bench.loaded("t").await?.open;
    same("the open ones", open.iter().map(|row| (row.question.id, row.opened)).collect(), vec![(second.id, at.seq)])
}

pub(super) async fn open_ones_are_loaded_in_order(bench: Bench) -> Verdict {
    let mut at = bench.begin("t").await?;
    let mut expected = Vec::new();
    for _ in 0..3 {
        let (a, b) = (bench.question(), bench.question());
        at = bench.send(Append { opens: vec![b.clone(), a.clone()], ..bench.next(at) }).await?;
        expected.extend([a.id, b.id]);
    }
    same("row by row, then by id", bench.loaded("t").await?.open.iter().map(|row| row.question.id).collect(), expected)
}

pub(super) async fn many_at_once(bench: Bench) -> Verdict {
    let questions: Vec<_> = (0..700).map(|_| bench.question()).collect();
    let asked = bench.send(Append { opens: questions.clone(), ..bench.create("t")? }).await?;
    same("the open ones", bench.loaded("t").await?.open.len(), 700)?;
    let known = bench.loaded("t").await?;
    same("for who knows the thread", bench.at(known.uid, Point::After(known.seq)).await?.open.len(), 0)?;
    let shuts = questions.iter().map(|question| shut(question, Fate::Abandoned)).collect();
    bench.send(Append { shuts, ..bench.next(asked) }).await?;
    same("the open ones after it", bench.loaded("t").await?.open.len(), 0)
}

pub(super) async fn generations_end(bench: Bench) -> Verdict {
    let question = NewQuestion { generation: u32::MAX - 1, ..bench.question() };
    let asked = bench.ask("t", &question).await?;
    let at = bench.send(Append { shuts: vec![shut(&question, Fate::Reissued { expires: None })], ..bench.next(asked) }).await?;
    let last = NewQuestion { generation: u32::MAX, ..question };
    bench.refused(Append { shuts: vec![shut(&last, Fate::Reissued { expires: None })], ..bench.next(at) }, is_invalid).await?;
    bench.send(Append { shuts: vec![answered(&last)], ..bench.next(at) }).await.map(drop)
}
