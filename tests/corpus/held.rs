//! Each graph beside its facts, and what differs.

use std::collections::{BTreeMap, BTreeSet};

use graphwright::topology::Topology;
use graphwright_tests::graphs::CORPUS;

use crate::differences::Reason;
use crate::facts::{Facts, files};
use crate::said::{Said, name, of_facts, of_topology, squeezed};

/// A graph, or one in it, as the source has it and as it is compiled.
pub(crate) struct Pair {
    /// The file, and the name of a graph in it.
    pub(crate) path: String,
    pub(crate) facts: Facts,
    pub(crate) topology: &'static Topology,
}

/// Every graph of every file. Panics if one has no counterpart.
pub(crate) fn pairs() -> Vec<Pair> {
    let mut files: BTreeMap<String, String> = files().into_iter().collect();
    let mut pairs = Vec::new();
    for written in CORPUS {
        let text = files.remove(written.facts).unwrap_or_else(|| panic!("no facts: {}", written.facts));
        let facts: Facts = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", written.facts));
        let mut others: Vec<&'static Topology> = written.others.to_vec();
        pair(written.facts.to_owned(), facts, written.graph, &mut others, &mut pairs);
        assert!(others.is_empty(), "{}: no facts of {:?}", written.facts, others.iter().map(|graph| graph.name).collect::<Vec<_>>());
    }
    assert!(files.is_empty(), "not written as graphs: {:?}", files.keys());
    pairs
}

fn pair(path: String, facts: Facts, topology: &'static Topology, others: &mut Vec<&'static Topology>, pairs: &mut Vec<Pair>) {
    for part in facts.subgraphs.iter().chain(&facts.other_graphs) {
        let mounted = topology.places.iter().find(|place| name(place) == part.mounted_as).and_then(|place| place.graph);
        let other = others.iter().position(|graph| squeezed(graph.name) == squeezed(&part.name)).map(|other| others.remove(other));
        let of = mounted.or(other).unwrap_or_else(|| panic!("{path}: no graph for {}", part.name));
        pair(format!("{path}/{}", part.name), part.clone(), of, others, pairs);
    }
    pairs.push(Pair { path, facts, topology });
}

/// What is in the facts alone, `- ..`, and what is in the topology alone, `+ ..`.
pub(crate) fn differences(facts: &Facts, topology: &Topology) -> Said {
    let (source, ours) = (of_facts(facts), of_topology(topology, facts));
    let lost = source.difference(&ours).map(|sentence| format!("- {sentence}"));
    lost.chain(ours.difference(&source).map(|sentence| format!("+ {sentence}"))).collect()
}

/// What is wrong: differences that have no row, and rows that have no difference.
pub(crate) fn judge(pairs: &[Pair], rows: &[(&str, Reason, &[&str])]) -> Vec<String> {
    let mut named: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (path, _, sentences) in rows {
        let all = named.entry(path).or_default();
        wrong.extend(sentences.iter().filter(|sentence| !all.insert(sentence)).map(|sentence| format!("{path}: named twice: {sentence}")));
    }
    for Pair { path, facts, topology } in pairs {
        let found = differences(facts, topology);
        let rows = named.remove(path.as_str()).unwrap_or_default();
        wrong.extend(found.iter().filter(|found| !rows.contains(found.as_str())).map(|found| format!("{path}: not named: {found}")));
        wrong.extend(rows.iter().filter(|row| !found.contains(**row)).map(|row| format!("{path}: not so: {row}")));
    }
    wrong.extend(named.keys().map(|path| format!("{path}: no such graph")));
    wrong
}
