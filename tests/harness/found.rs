//! What plays have found, each as the play that it was made small to.

use graphwright::{Durability, Memory};

use super::moves::Move;
use super::play::Play;
use super::random::paused;
use super::script::{Act, CallSpec, Inner, Op, Script, Sign};

const QUIET: Inner = Inner { act: Act::Work, signs: [Sign::Skip, Sign::Skip], early: false };

fn play(op: Op, moves: &[Move]) {
    paused().block_on(async {
        let mut play = Play::on(Memory::new(), vec![Script { ops: vec![op], stops: false }], Durability::Sync, None);
        for turn in moves {
            play.make(*turn).await;
        }
        play.finish().await;
        assert_eq!(play.done.turns, 1);
    });
}

/// An answer that no run took was told under the id of the run that had asked, with numbers from one.
#[test]
fn an_answer_outside_of_a_run_has_numbers_of_its_own() {
    let asks = CallSpec { act: Act::Work, sign: Some(Sign::Accept(1)) };
    play(Op::Calls(vec![asks]), &[Move::Begin { who: 0, polls: 200 }, Move::Answer { who: 0, which: 0, right: true }]);
}

/// A run that was to stop while a branch waited for its next attempt said that it waits for an answer, and kept the thread.
#[test]
fn a_run_that_drains_while_a_branch_is_to_be_tried_again_is_stopped() {
    let op = Op::All { acts: [Act::Shaky(1), Act::Work, Act::Work], signs: [Sign::Skip, Sign::Accept(1)], part: QUIET };
    let (begin, drain, poll) = (Move::Begin { who: 0, polls: 200 }, Move::Drain { who: 0 }, Move::Poll { run: 0, polls: 200 });
    play(op.clone(), &[begin, drain, poll]);
    play(op, &[begin, Move::Answer { who: 0, which: 0, right: true }, drain, poll]);
}

/// Who waited for a run that somebody ended, and whose thread was changed then, heard of a pause without a question.
#[test]
fn who_waits_for_a_run_that_was_ended_hears_of_no_pause() {
    let part = Inner { act: Act::Shaky(1), ..QUIET };
    let op = Op::All { acts: [Act::Work; 3], signs: [Sign::Accept(1), Sign::Skip], part };
    let (begin, resume) = (Move::Begin { who: 0, polls: 200 }, Move::Resume { who: 0, which: 0, polls: 200 });
    let (abandon, edit, finish) = (Move::Abandon { who: 0 }, Move::Edit { who: 0 }, Move::Finish { run: 1 });
    play(op, &[begin, resume, abandon, edit, finish]);
}

/// Not a fault of the engine: who had begun a turn heard of its end when an edit had made more of it, and the model took that
/// for the end of what the edit had made.
#[test]
fn an_end_that_is_told_late_is_that_of_before() {
    graphwright::__private::read_back();
    paused().block_on(async {
        let script = Script { ops: vec![], stops: false };
        let mut play = Play::on(Memory::new(), vec![script.clone(), script.clone(), script], Durability::Sync, None);
        let begin = Move::Begin { who: 0, polls: 0 };
        let late = [Move::Begin { who: 0, polls: 4 }, Move::Edit { who: 0 }, begin, Move::Poll { run: 0, polls: 3 }];
        for turn in late.into_iter().chain([Move::Abandon { who: 0 }, begin]) {
            play.make(turn).await;
        }
        play.finish().await;
    });
}

/// A run that was dropped while it waited for a commit under way, which then failed, left what was planned behind that to be
/// written: a step was missing in the middle.
#[test]
fn nothing_is_written_behind_a_commit_that_nobody_waited_for() {
    graphwright::__private::read_back();
    let script = Script { ops: vec![Op::Line(Act::Work), Op::Line(Act::Work)], stops: true };
    for (after, polls) in (3..12).flat_map(|after| (1..30).map(move |polls| (after, polls))) {
        paused().block_on(async {
            let mut play = Play::on(Memory::new(), vec![script.clone()], Durability::Behind, None);
            for turn in [Move::Fail { who: 0, after, calls: 1 }, Move::Begin { who: 0, polls }] {
                play.make(turn).await;
            }
            play.finish().await;
        });
    }
}
