//! The checker and the oracle agree.

use std::collections::{BTreeMap, BTreeSet};

use graphwright::check::{Analysis, Fault, analyze, facts, fork_text, place_text, way_text, whole_text};
use graphwright::topology::Topology;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::graphs::{NODES, WAYS, graph, told};
use super::rules::{self, Graph, Verdict};
use super::{paths, witness, writes};

const GRAPHS: u32 = 100_000;

/// Every code, and how often it must come up; what never came up was not compared.
const CODES: [&str; 21] = [
    "sound", "GW040", "GW041", "GW042", "GW043", "GW044", "GW045", "GW046", "GW047", "GW048", "GW049", "GW051", "GW052", "GW053", "GW054",
    "GW055", "GW056", "GW057", "GW058", "GW059", "forks",
];
const LEAST: u32 = 100;

/// Runs a test on the same graphs on every machine; one that fails is made smaller.
fn on_graphs(mut test: impl FnMut(&[u8]) -> Result<(), String>) {
    let config = Config { cases: GRAPHS, failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::XorShift, b"the same graphs."));
    let test = std::cell::RefCell::new(&mut test);
    let result = runner.run(&vec(any::<u8>(), 0..140), |genes| test.borrow_mut()(&genes).map_err(TestCaseError::fail));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, genes)) => panic!("{reason}\n{}", told(&graph(&genes))),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_checker_and_the_oracle_agree() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    on_graphs(|genes| {
        for code in compare(&graph(genes), genes)? {
            *seen.entry(code).or_default() += 1;
        }
        Ok(())
    });
    for code in CODES {
        assert!(seen.get(code).is_some_and(|times| *times >= LEAST), "{code} came up too seldom: {seen:?}");
    }
}

/// Compares all that is said of a graph; gives the codes that came up.
fn compare(topology: &Topology, genes: &[u8]) -> Result<BTreeSet<&'static str>, String> {
    let graph = Graph::of(topology);
    let (verdict, analysis) = checked(topology)?;
    same(&graph, &verdict)?;
    witness::are_real(&graph, &analysis)?;
    let mut codes: BTreeSet<&'static str> = verdict.values().copied().collect();
    if verdict.is_empty() {
        codes.insert("sound");
        let (told, expected) = (paths::told(&facts(&analysis, topology)), paths::facts(&graph));
        if told != expected {
            return Err(format!("facts: expected {expected:?}, told {told:?}"));
        }
        if !topology.forks.is_empty() {
            codes.insert("forks");
            codes.extend(writes::compare(&graph, &analysis, genes)?);
        }
    }
    Ok(codes)
}

/// Whether a verdict is what the rules say.
pub(super) fn same(graph: &Graph<'_>, verdict: &Verdict) -> Result<(), String> {
    let expected = rules::verdict(graph);
    // That something has no way on where it is come to is said of a way that leads to it.
    let verdict = &verdict.iter().map(|(element, code)| (graph.meant(element, code), *code)).collect::<Verdict>();
    if graph.is_in_itself() && !expected.contains_key("whole") && !expected.values().any(|code| matches!(*code, "GW041" | "GW042")) {
        // There is no end of what can be enumerated; but that this is so is said, unless what was said before stops it.
        let codes: BTreeSet<&str> = verdict.values().copied().collect();
        let other = |code: &&str| !matches!(*code, "GW043" | "GW044" | "GW045" | "GW052" | "GW054");
        if codes.is_empty() || codes.iter().any(other) {
            return Err(format!("a fork stands in its own branch, and what is said is {verdict:?}"));
        }
        let ways = verdict.iter().filter(|(_, code)| **code == "GW052").map(|(way, _)| way.trim_start_matches("way ").parse().unwrap());
        return match ways.into_iter().find(|way| !graph.leads_back(*way)) {
            Some(way) => Err(format!("way {way} does not lead back")),
            None => Ok(()),
        };
    }
    // Of places that branches share, that one is said for each fork.
    let shared = rules::shared(graph);
    if verdict.values().any(|code| *code == "GW053") || (!shared.is_empty() && rules::before_branches(graph).is_empty()) {
        if !rules::before_branches(graph).is_empty() {
            return Err(format!("expected {:?}, said {verdict:?}", rules::before_branches(graph)));
        }
        let said: BTreeSet<usize> = verdict.keys().filter_map(|place| place.strip_prefix("place ")?.parse().ok()).collect();
        let all: BTreeSet<usize> = shared.values().flatten().copied().collect();
        let right = said.is_subset(&all) && said.len() == verdict.len() && shared.values().all(|places| !places.is_disjoint(&said));
        return if right { Ok(()) } else { Err(format!("branches share {shared:?}, said is {verdict:?}")) };
    }
    if *verdict == expected { Ok(()) } else { Err(format!("expected {expected:?}, said {verdict:?}")) }
}

/// What the checker says, which is a message for each fault, of the form that all have.
pub(super) fn checked(topology: &Topology) -> Result<(Verdict, Analysis<NODES, WAYS>), String> {
    let analysis = analyze::<NODES, WAYS>(topology);
    let mut said = vec![("whole".to_owned(), analysis.of_whole(), whole_text(&analysis, topology))];
    said.extend((0..topology.places.len()).map(|n| (format!("place {n}"), analysis.of_place(n), place_text(&analysis, topology, n))));
    said.extend((0..topology.forks.len()).map(|n| (format!("fork {n}"), analysis.of_fork(topology, n), fork_text(&analysis, topology, n))));
    said.extend((0..topology.ways.len()).map(|n| (format!("way {n}"), analysis.of_way(n), way_text(&analysis, topology, n))));
    let mut verdict = Verdict::new();
    for (element, fault, text) in said {
        let lines: Vec<&str> = text.as_str().lines().collect();
        let well = match lines[..] {
            [] => fault == Fault::None,
            [first, .., last] => first.ends_with(&format!("[{}]", fault.code())) && last.starts_with("  help: "),
            _ => false,
        };
        if !well {
            return Err(format!("{element}: {fault:?} is said as {text:?}"));
        }
        if fault != Fault::None {
            verdict.insert(element, fault.code());
        }
    }
    Ok((verdict, analysis))
}
