//! Random scripts, and random moves on a thread that runs them.
//!
//! Not by `proptest-state-machine`: what a move does to the thread is known only from the rows that are there behind it, since
//! runs of two workers go on between any two moves. So the moves are data that need no state to be chosen, are made small as
//! a list, and `play` looks at the rows after each of them.

use graphwright::{Durability, Memory, Sqlite};
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::{Config, TestError, TestRunner};

use super::moves::{Done, Halt, Move};
use super::play::Play;
use super::script::{Act, CallSpec, Inner, Op, Script, Sign, Spec, Which};
use crate::faults::{Others, Plant};

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => Just(Act::Work),
        2 => (1_u8..4).prop_map(Act::Waits),
        2 => (1_u8..3).prop_map(Act::Shaky),
        1 => Just(Act::Hangs),
        1 => Just(Act::Broken),
        1 => Just(Act::Panics),
        1 => Just(Act::Poisons),
    ]
}

fn sign() -> impl Strategy<Value = Sign> {
    prop_oneof![Just(Sign::Skip), (1_u32..100).prop_map(Sign::Accept), Just(Sign::Decline)]
}

fn inner() -> impl Strategy<Value = Inner> {
    (act(), [sign(), sign()], any::<bool>()).prop_map(|(act, signs, early)| Inner { act, signs, early })
}

fn op() -> impl Strategy<Value = Op> {
    let which = subsequence(vec![Which::A, Which::B, Which::C], 0..=3).prop_shuffle();
    let call = (act(), proptest::option::of(sign())).prop_map(|(act, sign)| CallSpec { act, sign });
    let spec = (0_u32..100, act(), sign()).prop_map(|(label, act, sign)| Spec { label, act, sign });
    prop_oneof![
        2 => act().prop_map(Op::Line),
        1 => sign().prop_map(Op::Ask),
        3 => ([act(), act(), act()], [sign(), sign()], inner()).prop_map(|(acts, signs, part)| Op::All { acts, signs, part }),
        2 => (which, act(), sign(), inner()).prop_map(|(ways, act, sign, deep)| Op::Some { ways, act, sign, deep }),
        2 => proptest::collection::vec(call, 0..4).prop_map(Op::Calls),
        2 => proptest::collection::vec(spec, 0..4).prop_map(Op::Items),
        1 => inner().prop_map(Op::Whole),
        1 => Just(Op::Rescue),
    ]
}

pub fn script() -> impl Strategy<Value = Script> {
    (proptest::collection::vec(op(), 0..5), any::<bool>()).prop_map(|(ops, stops)| Script { ops, stops })
}

fn moves() -> impl Strategy<Value = Move> {
    let (who, polls) = (0..2_usize, || prop_oneof![3 => 0..12_usize, 1 => Just(200)]);
    let who = || who.clone();
    // Whatever a play can bear often; to lose its thread it cannot.
    let often = prop_oneof![
        8 => (who(), polls()).prop_map(|(who, polls)| Move::Begin { who, polls }),
        4 => (who(), polls(), proptest::option::weighted(0.2, 0_u64..6))
            .prop_map(|(who, polls, steps)| Move::Proceed { who, polls, steps }),
        3 => (who(), 0..4_usize, polls()).prop_map(|(who, which, polls)| Move::Resume { who, which, polls }),
        6 => (0..3_usize, polls()).prop_map(|(run, polls)| Move::Poll { run, polls }),
        3 => (0..3_usize).prop_map(|run| Move::Finish { run }),
        3 => (0..3_usize, any::<bool>()).prop_map(|(run, silent)| Move::Drop { run, silent }),
        9 => (who(), 0..4_usize, proptest::bool::weighted(0.85)).prop_map(|(who, which, right)| Move::Answer { who, which, right }),
        1 => (who(), 0..4_usize).prop_map(|(who, which)| Move::Repeat { who, which }),
        1 => (who(), 0..4_usize).prop_map(|(who, which)| Move::Reissue { who, which }),
        1 => who().prop_map(|who| Move::Cancel { who }),
        1 => who().prop_map(|who| Move::Abandon { who }),
        1 => who().prop_map(|who| Move::Drain { who }),
        1 => (who(), polls()).prop_map(|(who, polls)| Move::Step { who, polls }),
        2 => (0..200_usize).prop_map(|at| Move::Fork { at }),
        1 => who().prop_map(|who| Move::Sweep { who }),
        1 => (who(), 0..8_u64, prop_oneof![Just(1), Just(3), Just(u64::MAX)])
            .prop_map(|(who, after, calls)| Move::Fail { who, after, calls }),
        1 => (who(), 0..8_u64).prop_map(|(who, after)| Move::Lose { who, after }),
        1 => Just(Move::Heal),
        4 => (who(), prop_oneof![2 => Just(Others::Here), 1 => Just(Others::Elsewhere), 2 => Just(Others::Dead)])
            .prop_map(|(who, others)| Move::Presume { who, others }),
        1 => any::<bool>().prop_map(|mended| Move::Mend { mended }),
        1 => (1..8_u64).prop_map(|seconds| Move::Wait { seconds }),
        2 => proptest::option::weighted(0.8, who()).prop_map(|who| Move::Late { who }),
        1 => who().prop_map(|who| Move::Edit { who }),
        1 => (who(), 0..200_usize).prop_map(|(who, at)| Move::Prune { who, at }),
        2 => (who(), proptest::option::weighted(0.6, proptest::sample::select(Halt::ALL.to_vec())))
            .prop_map(|(who, at)| Move::Break { who, at }),
    ];
    prop_oneof![120 => often, 1 => who().prop_map(|who| Move::Delete { who })]
}

/// Scripts, what is done while they run, and when a step counts as kept.
type Case = (Vec<Script>, Vec<Move>, Durability);

fn case() -> impl Strategy<Value = Case> {
    let durability = prop_oneof![2 => Just(Durability::Sync), 1 => Just(Durability::Behind), 1 => Just(Durability::Exit)];
    (proptest::collection::vec(script(), 1..4), proptest::collection::vec(moves(), 5..60), durability)
}

/// One case on a store; gives how much was done.
pub async fn play<S: graphwright::store::Checkpointer + Clone>(store: S, (scripts, moves, durability): Case, plant: Option<Plant>) -> Done {
    let mut play = Play::on(store, scripts, durability, plant);
    for turn in moves {
        play.make(turn).await;
    }
    play.finish().await;
    play.done
}

/// A runtime in which time passes when nobody does anything.
pub fn paused() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

fn told_to(panic: &dyn std::any::Any) -> bool {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    text.is_some_and(|text| text.contains("told to panic"))
}

/// Panics that were asked for are not printed.
pub fn quietly() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !told_to(panic.payload()) {
                tell(panic);
            }
        }));
    });
}

fn attack(cases: u32, plant: Option<Plant>) -> (Result<(), TestError<Case>>, Done, u32) {
    graphwright::__private::read_back();
    quietly();
    // `PROPTEST_CASES` says how many, where somebody has the time.
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).filter(|_| plant.is_none()).unwrap_or(cases);
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: if plant.is_some() { 50 } else { 2_000 }, ..Config::default() };
    let total = std::cell::RefCell::new((Done::default(), 0));
    let came = TestRunner::new(config).run(&case(), |case| {
        let one = paused().block_on(play(Memory::new(), case, plant));
        let mut total = total.borrow_mut();
        *total = (total.0.and(one), total.1 + 1);
        Ok(())
    });
    let (done, played) = total.into_inner();
    (came, done, played)
}

#[test]
fn whatever_is_done_to_a_thread_it_comes_to_what_its_scripts_say() {
    let (came, done, played) = attack(150, None);
    if let Err(TestError::Fail(why, (scripts, moves, durability))) = came {
        panic!("{why}\nscripts: {scripts:#?}\nmoves: {moves:#?}\n{durability:?}");
    }
    println!("{played} plays, {done:?}");
    let Done { turns, abandoned, answers, refused, displaced, forks, failed, stored, told_again, .. } = done;
    assert!(turns > 70 && answers > 30 && refused > 20 && forks > 20, "nothing was tried: {done:?}");
    assert!(abandoned > 2 && failed > 10 && stored > 2, "nothing went wrong: {done:?}");
    assert!(displaced > 0 || played < 1_000, "nobody was displaced: {done:?}");
    assert!(told_again > 30, "hardly a thread was decided again: {done:?}");
    let Done { expired, edited, deleted, pruned, halted, .. } = done;
    let outside = [expired, edited, deleted, pruned, halted];
    assert!(outside.iter().all(|many| *many > 0) || played < 1_000, "nothing was done from outside: {done:?}");
}

/// The same on files, where a commit takes its time and goes on when nobody waits for it any more.
#[test]
fn whatever_is_done_to_a_thread_on_a_file_it_comes_to_what_its_scripts_say() {
    quietly();
    let folder = tempfile::tempdir().unwrap();
    let total = std::cell::RefCell::new((Done::default(), 0));
    let config = Config { cases: 15, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let came = TestRunner::new(config).run(&case(), |case| {
        let mut total = total.borrow_mut();
        total.1 += 1;
        let path = folder.path().join(format!("{}.db", total.1));
        let one = paused().block_on(async { play(Sqlite::open(path).await.unwrap(), case, None).await });
        total.0 = total.0.and(one);
        Ok(())
    });
    if let Err(TestError::Fail(why, (scripts, moves, durability))) = came {
        panic!("{why}\nscripts: {scripts:#?}\nmoves: {moves:#?}\n{durability:?}");
    }
    let (done, played) = total.into_inner();
    println!("{played} plays on files, {done:?}");
    assert!(done.turns > 3 && done.rows > 50, "nothing was tried: {done:?}");
}

/// A store that on a conflict sends the same rows again, under the number that the thread has now.
#[test]
fn a_swap_of_the_number_alone_is_caught() {
    let (came, ..) = attack(2_000, Some(Plant::SwapsTheNumber));
    let Err(TestError::Fail(why, (_, moves, _))) = came else { panic!("two thousand plays did not catch it") };
    println!("caught: {why}, by {moves:?}");
}
