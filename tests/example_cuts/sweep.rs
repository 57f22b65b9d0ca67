//! All cuts of all stories.

use graphwright::Durability;
use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::store::sqlite::{Options, WalSync};
use tokio::runtime::{Builder, Runtime};

use super::cut::{Cut, Story, cut};
use super::stories::{Claims, Coding, Pipeline, Research, Support, Swarm};

const LAMP: Support = Support { text: "The brass floor lamp arrived broken, I want my money back", kept: &[Durability::Sync] };
const MUG: Support = Support { text: "My blue mug arrived broken, please refund it", kept: &[Durability::Sync] };

/// Where time passes when nobody does anything.
fn paused() -> Runtime {
    Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

/// Where time is what it is: while a file is written, nobody here does anything.
fn awake() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Cuts at one point after the other, until there is nothing to cut. Gives how many were made.
fn all_cuts<S: Story, T: Checkpointer + Clone>(story: &S, runtime: fn() -> Runtime, store: &dyn Fn() -> T, cuts: &[fn(u64) -> Cut]) -> u64 {
    let (expected, _) = runtime().block_on(cut(story, store(), Durability::Sync, Cut::Never));
    let mut made = 0;
    for (at, &durability) in cuts.iter().flat_map(|at| story.durabilities().iter().map(move |durability| (at, durability))) {
        let before = made;
        for n in 0.. {
            let (end, was_cut) = runtime().block_on(cut(story, store(), durability, at(n)));
            assert_eq!(end, expected, "{durability:?}, {:?}", at(n));
            if !was_cut {
                break;
            }
            made += 1;
        }
        // A kind of cut that ends before its time is none.
        assert!(made - before > 3, "{durability:?}, {:?}: only {} cuts", at(0), made - before);
    }
    assert!(made > 10, "{made} cuts");
    made
}

fn every_example<T: Checkpointer + Clone>(runtime: fn() -> Runtime, store: impl Fn() -> T, cuts: &[fn(u64) -> Cut]) -> u64 {
    let made = [
        ("support", all_cuts(&MUG, runtime, &store, cuts) + all_cuts(&LAMP, runtime, &store, cuts)),
        ("research", all_cuts(&Research, runtime, &store, cuts)),
        ("coding", all_cuts(&Coding, runtime, &store, cuts)),
        ("claims", all_cuts(&Claims, runtime, &store, cuts)),
        ("pipeline", all_cuts(&Pipeline, runtime, &store, cuts)),
        ("swarm", all_cuts(&Swarm, runtime, &store, cuts)),
    ];
    println!("{made:?}");
    made.iter().map(|(_, made)| made).sum()
}

/// A file of its own for each cut.
fn on_files(cuts: &[fn(u64) -> Cut]) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let files = std::cell::Cell::new(0);
    let open = || {
        files.set(files.get() + 1);
        let options = Options::new().sync(WalSync::LosesLastCommitsWithPower);
        awake().block_on(Sqlite::open_with(folder.path().join(format!("{}.db", files.get())), options)).unwrap()
    };
    every_example(awake, open, cuts)
}

const CALLS: [fn(u64) -> Cut; 2] = [|n| Cut::Call(n, 0), |n| Cut::Call(n, 2)];
const FAILURES: [fn(u64) -> Cut; 3] = [Cut::FailOnce, Cut::FailFrom, Cut::Lose];

#[test]
fn every_example_is_dropped_at_every_point() {
    let memory = every_example(paused, Memory::new, &[Cut::Poll, CALLS[0]]);
    let files = on_files(&CALLS);
    println!("{memory} cuts in memory, {files} cuts on files");
    assert!(memory + files >= 2_000, "only {memory} and {files}");
}

#[test]
fn the_store_of_every_example_fails_at_every_call() {
    let memory = every_example(paused, Memory::new, &FAILURES);
    let files = on_files(&FAILURES);
    println!("{memory} failed calls of memory, {files} failed calls of files");
    assert!(memory + files >= 1_000, "only {memory} and {files}");
}

/// The sweep must see what it is for: a refund whose order was lost, and that is ordered again under another key.
#[test]
#[should_panic(expected = "Behind")]
fn what_is_done_again_under_another_key_is_noticed() {
    all_cuts(&Support { kept: &[Durability::Behind], ..MUG }, paused, &Memory::new, &[Cut::Poll]);
}
