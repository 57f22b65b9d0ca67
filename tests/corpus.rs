//! Graphs that people really run, held against what their sources say, and their sources against them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "corpus/differences.rs"]
mod differences;
#[path = "corpus/facts.rs"]
mod facts;
#[path = "corpus/held.rs"]
mod held;
#[path = "corpus/planted.rs"]
mod planted;
#[path = "corpus/said.rs"]
mod said;

use std::collections::BTreeSet;

use differences::{DIFFERENCES, Reason};
use graphwright_tests::graphs;
use held::{Pair, judge, pairs};

/// So many files there are, and so many graphs are in others.
const GRAPHS: (usize, usize) = (65, 21);

#[test]
fn every_graph_is_what_its_source_says() {
    let pairs = pairs();
    let inner = pairs.iter().filter(|pair| pair.path.contains('/')).count();
    assert_eq!((pairs.len() - inner, inner), GRAPHS);
    let wrong = judge(&pairs, DIFFERENCES);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_reason_is_needed() {
    let reasons: BTreeSet<Reason> = DIFFERENCES.iter().map(|(_, reason, _)| *reason).collect();
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), Reason::ALL);
}

#[test]
fn every_fact_says_where_it_is_from() {
    for (file, text) in facts::files() {
        let origin: facts::Origin = serde_json::from_str(&text).unwrap();
        let said = [origin.source_repo, origin.source_path, origin.source_commit, origin.license];
        assert!(said.iter().all(|said| !said.is_empty()), "{file}: {said:?}");
    }
}

#[test]
fn every_graph_has_a_name_of_its_own_and_a_picture() {
    let names: BTreeSet<&str> = graphs::CORPUS.iter().map(|written| written.graph.name).collect();
    assert_eq!(names.len(), GRAPHS.0);
    for (file, graph) in graphs::all() {
        let picture = graph.mermaid();
        assert!(picture.lines().count() > graph.places.len() + graph.exits.len(), "{file}:\n{picture}");
    }
}

// ---------------------------------------------------------------- the harness proves itself

/// What cannot be seen, since something else says the same.
const UNSEEN: &[(&str, &str)] = &[
    // The branch of a router that the facts have as a send, too.
    ("04-open-deep-research-legacy-plan", "without gather_completed_sections -- write_final_sections"),
    ("10-rag-research-agent/ResearcherGraph", "without generate_queries -- retrieve_documents"),
    ("13-executive-ai-assistant/multi_reflection_graph", "without determine_what_to_update goto reflection"),
    ("50-gemini-fullstack-quickstart", "without generate_query -- web_research"),
    // Both of a router with one branch and an edge.
    ("52-prebuilt-react-agent", "without agent -> post_model_hook"),
    ("52-prebuilt-react-agent", "without agent -- post_model_hook"),
    // A place that stands in two forks with one join.
    ("50-gemini-fullstack-quickstart", "way 3 is left out"),
    ("50-gemini-fullstack-quickstart", "way 6 is left out"),
    ("50-gemini-fullstack-quickstart", "way 10 is left out"),
    // A fork with a map in it: the map says that there are several.
    ("47-social-media-curate-data", "fork 0 is of kind all"),
    ("77-pydantic-graph-map-decision-joins", "fork 0 is of kind some"),
    ("77-pydantic-graph-map-decision-joins", "fork 0 is of kind each"),
];

#[test]
fn a_planted_difference_is_caught() {
    let mut unseen: BTreeSet<(&str, &str)> = UNSEEN.iter().copied().collect();
    let mut caught = 0;
    for Pair { path, facts, topology } in pairs() {
        let is = held::differences(&facts, topology);
        let topologies =
            planted::in_topology(topology, &facts).into_iter().map(|(what, planted)| (what, held::differences(&facts, &planted)));
        let all = planted::in_facts(&facts).into_iter().map(|(what, planted)| (what, held::differences(&planted, topology)));
        for (what, planted) in topologies.chain(all) {
            if let Some(row) = UNSEEN.iter().find(|row| **row == (path.as_str(), what.as_str())) {
                assert_eq!(planted, is, "{path}: it is seen that {what}");
                unseen.remove(row);
            } else {
                assert_ne!(planted, is, "{path}: not caught: {what}");
                caught += 1;
            }
        }
    }
    assert!(unseen.is_empty(), "not planted: {unseen:?}");
    assert!(caught > 4_000, "{caught}");
}

#[test]
fn a_wrong_table_is_caught() {
    let pairs = pairs();
    for (number, (path, reason, sentences)) in DIFFERENCES.iter().enumerate() {
        let mut rows = DIFFERENCES.to_vec();
        rows.remove(number);
        let wrong = judge(&pairs, &rows);
        assert_eq!(wrong.len(), sentences.len(), "{path}, {reason:?}: {wrong:?}");
        assert!(wrong.iter().all(|wrong| wrong.starts_with(&format!("{path}: not named: "))), "{wrong:?}");
    }
    let with = |row: (&'static str, Reason, &'static [&'static str])| judge(&pairs, &[DIFFERENCES, &[row]].concat());
    let reason = Reason::GotoMadeARoute;
    assert_eq!(
        with(("07-react-agent-template", reason, &["- tools -> elsewhere"])),
        ["07-react-agent-template: not so: - tools -> elsewhere"]
    );
    assert_eq!(with(("06-nothing", reason, &["- a -> b"])), ["06-nothing: no such graph"]);
    let (path, _, [first, ..]) = DIFFERENCES[0] else { panic!("an empty row") };
    assert_eq!(with((path, reason, vec![*first].leak())), [format!("{path}: named twice: {first}")]);
}
