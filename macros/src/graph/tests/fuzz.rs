//! No stream of tokens makes `graph!` panic. So many in the tests, the same each time; 10^6 of them in `.ci/long`.

use std::cell::Cell;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::streams::{Stream, Tree, stream, tokens};
use super::*;

/// Tries so many streams, or as many as `PROPTEST_CASES` says; of a failure the shortest that fails is shown.
fn try_streams(streams: u32, test: impl Fn(Stream)) {
    // Not proptest's own file of failures: what fails becomes a test with a name.
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = streams;
    }
    if env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    // Eight bytes at a time, which is eight times as fast.
    let tried = TestRunner::new(config).run(&vec(any::<u64>(), 0..32), |words| {
        test(stream(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()));
        Ok(())
    });
    tried.unwrap_or_else(|failure| panic!("{failure}"));
}

/// How many streams were tried, and what they were.
#[derive(Default)]
struct Tried {
    streams: Cell<u32>,
    sentences: Cell<u32>,
    understood: Cell<u32>,
}

impl Tried {
    fn count(&self, sound: bool, understood: bool) {
        self.streams.update(|count| count + 1);
        self.sentences.update(|count| count + u32::from(sound));
        self.understood.update(|count| count + u32::from(understood));
    }

    /// Prints what was done, and fails where it was next to nothing.
    fn report(&self, what: &str) {
        let [streams, sentences, understood] = [&self.streams, &self.sentences, &self.understood].map(Cell::get);
        println!("{what}: {streams} streams, {sentences} of them sentences of the grammar, {understood} understood");
        assert!(streams >= 500, "only {streams} streams were tried");
        assert!(sentences > streams / 10, "hardly any stream is a sentence");
        assert!(understood > streams / 50 && understood < streams / 10 * 9, "nearly all streams are taken alike");
    }
}

/// What the parser says of these.
fn said_of_trees(trees: &[Tree]) -> Vec<String> {
    let mut sink = Diagnostics::default();
    read(tokens(trees), &mut sink);
    sink.texts()
}

#[test]
fn no_stream_stops_the_parser() {
    let tried = Tried::default();
    try_streams(10_000, |Stream { trees, sound }| {
        let said = said_of_trees(&trees);
        assert!(!sound || said.is_empty(), "a sentence of the grammar is not read: {}\n{said:#?}", tokens(&trees));
        // What is left over behind a type is told by syn.
        let without_code = said.iter().find(|text| !text.contains("[GW"));
        assert_eq!(without_code, None, "a message without a code: {}", tokens(&trees));
        tried.count(sound, said.is_empty());
    });
    tried.report("the parser");
}

#[test]
fn no_stream_stops_the_expansion_and_what_comes_out_is_rust() {
    let tried = Tried::default();
    try_streams(1_000, |Stream { trees, sound }| {
        let mut refused = false;
        for face in ["compiler", "editor"] {
            let expansion = expanded_for(face, tokens(&trees));
            refused |= expansion.to_string().contains("compile_error");
            if let Err(error) = syn::parse2::<syn::File>(expansion) {
                panic!("no Rust comes out for the {face}: {error}\n{}", tokens(&trees));
            }
        }
        tried.count(sound, !refused);
    });
    tried.report("the expansion");
}

/// What streams have found.
#[test]
fn what_comes_out_is_rust_where_a_name_is_none() {
    let statements = ["c -> match { true => match e { crate => a }, B => a };", "a -> match r { m:: => end, B => end };", "a -> end as;"];
    for statements in statements {
        for face in ["compiler", "editor"] {
            let expansion = expanded_for(face, format!("Desk(Mail) {{ start -> a; {statements} }}").parse().unwrap());
            assert!(expansion.to_string().contains("compile_error"), "{statements}");
            assert!(syn::parse2::<syn::File>(expansion).is_ok(), "{statements}");
        }
    }
}

/// The harness on a parser that fails: at a wildcard behind `else`, which no sentence has.
#[test]
fn a_parser_that_panics_is_found_out() {
    let planted = |trees: &[Tree]| {
        assert!(!tokens(trees).to_string().contains("else _"), "planted");
        said_of_trees(trees)
    };
    let found = catch_unwind(AssertUnwindSafe(|| try_streams(100_000, |stream| drop(planted(&stream.trees)))));
    let message = found.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("planted"), "{message}");
}
