//! What runs at once and writes the same.

use std::collections::BTreeSet;

use graphwright::check::{Analysis, Fault, Parallel, parallel, writes_text};
use graphwright::topology::{ForkKind, Topology};
use graphwright::{FieldInfo, FieldSet, Kind};

use super::graphs::{NODES, WAYS, random, told};
use super::rules::{Graph, regions};

const FIELDS: [&[FieldInfo]; 3] = [
    &[field("f0", Kind::Replace), field("f1", Kind::Merge), field("f2", Kind::Replace)],
    &[field("f0", Kind::Merge), field("f1", Kind::Replace), field("f2", Kind::Merge)],
    &[field("f0", Kind::Merge), field("f1", Kind::Merge), field("f2", Kind::Merge)],
];

const fn field(name: &'static str, kind: Kind) -> FieldInfo {
    FieldInfo { name, kind }
}

/// What each place writes, by chance.
fn some_writes(topology: &Topology, mut next: impl FnMut(u64) -> u64) -> (&'static [FieldInfo], Vec<FieldSet>) {
    let fields = FIELDS[[0, 0, 0, 1, 1, 2][next(6) as usize]];
    let mut of_place = || match next(8) {
        0 if next(2) == 0 => FieldSet::UNDECLARED,
        0..=2 => FieldSet::EMPTY,
        _ => FieldSet::EMPTY.with(next(3) as usize),
    };
    (fields, topology.places.iter().map(|_| of_place()).collect())
}

/// Compares what is said of the forks of a sound graph; gives the codes that came up.
pub(super) fn compare(graph: &Graph<'_>, analysis: &Analysis<NODES, WAYS>, genes: &[u8]) -> Result<BTreeSet<&'static str>, String> {
    let (fields, writes) = some_writes(graph.topology, random(genes));
    let found = parallel(analysis, graph.topology, &writes, fields);
    same(graph, &found, &writes, fields).map_err(|reason| format!("{reason}: {fields:?}: {writes:?}\n{}", told(graph.topology)))?;
    Ok((0..graph.topology.forks.len()).map(|fork| found.of_fork(fork).code()).filter(|code| !code.is_empty()).collect())
}

/// The ways in which the branches of a fork clash: two places, and the field that both write.
type Clashes = BTreeSet<(usize, usize, usize)>;

fn same(graph: &Graph<'_>, found: &Parallel<NODES>, writes: &[FieldSet], fields: &[FieldInfo]) -> Result<(), String> {
    let topology = graph.topology;
    let regions = regions(graph);
    let replaced: Vec<usize> = (0..fields.len()).filter(|field| fields[*field].kind == Kind::Replace).collect();
    let writes_it = |place: usize, field: usize| writes[place].is_declared() && writes[place].has(field);
    let mut undeclared_in = Vec::new();
    for fork in 0..topology.forks.len() {
        let branches: Vec<&BTreeSet<usize>> = regions.range((fork as u16, 0)..(fork as u16 + 1, 0)).map(|(_, places)| places).collect();
        let many = topology.forks[fork].kind == ForkKind::Each;
        let mut clashes = Clashes::new();
        for field in &replaced {
            for (number, places) in branches.iter().enumerate() {
                // "an `each` that writes one"
                let itself = places.iter().filter(|place| many && writes_it(**place, *field)).map(|place| (*place, *place, *field));
                clashes.extend(itself);
                for other in &branches[number + 1..] {
                    let both = places.iter().flat_map(|one| other.iter().map(move |two| (*one, *two)));
                    clashes.extend(both.filter(|(a, b)| writes_it(*a, *field) && writes_it(*b, *field)).map(|(a, b)| (a, b, *field)));
                }
            }
        }
        let undeclared = |place: &usize| !replaced.is_empty() && !writes[*place].is_declared();
        let undeclared: BTreeSet<usize> = branches.into_iter().flatten().copied().filter(undeclared).collect();
        let (fault, text) = (found.of_fork(fork), writes_text(found, topology, fork));
        let said = text.as_str();
        let right = match fault {
            Fault::None => clashes.is_empty() && said.is_empty(),
            Fault::BothWrite => clashes.iter().any(|(a, b, field)| says_so(topology, said, *a, *b, fields[*field].name)),
            Fault::Undeclared => clashes.is_empty() && undeclared.iter().any(|place| says_it(topology, said, *place)),
            _ => false,
        };
        if !right {
            return Err(format!("fork {fork}: {said:?}, clashes {clashes:?}, undeclared {undeclared:?}"));
        }
        undeclared_in.push(undeclared);
    }
    // That a node does not say what it writes is said of it once: at one of the forks around it something is said.
    for undeclared in undeclared_in.iter().flatten() {
        let around = (0..topology.forks.len()).filter(|fork| undeclared_in[*fork].contains(undeclared));
        if around.map(|fork| found.of_fork(fork)).all(|fault| fault == Fault::None) {
            return Err(format!("nothing is said of place {undeclared}, which declares nothing"));
        }
    }
    Ok(())
}

fn says_so(topology: &Topology, said: &str, a: usize, b: usize, field: &str) -> bool {
    let (a, b) = (topology.places[a].name, topology.places[b].name);
    [
        format!("many `{a}` run at once, and each writes `{field}`, which has no reducer [GW055]"),
        format!("`{a}` and `{b}` run at once and both write `{field}`, which has no reducer [GW055]"),
    ]
    .iter()
    .zip([a == b, a != b])
    .any(|(text, fits)| fits && said.lines().next() == Some(text))
}

fn says_it(topology: &Topology, said: &str, place: usize) -> bool {
    let name = topology.places[place].name;
    let line = said.lines().next().unwrap_or_default();
    let named = [format!("many `{name}` run at once, and it "), format!("`{name}` runs in a branch of "), format!("`{name}` and `")];
    named.iter().any(|text| line.starts_with(text)) && line.ends_with(" what it writes [GW056]")
}

#[test]
fn a_wrong_check_of_writes_is_caught() {
    type Plant = fn(&mut Vec<FieldSet>, &mut &'static [FieldInfo]);
    let plants: [(&str, Plant); 4] = [
        ("takes who declares nothing for one that writes nothing", |writes, _| {
            writes.iter_mut().filter(|set| !set.is_declared()).for_each(|set| *set = FieldSet::EMPTY);
        }),
        ("takes every field for one with a reducer", |_, fields| *fields = FIELDS[2]),
        ("takes no field for one with a reducer", |_, fields| {
            *fields = const { &[field("f0", Kind::Replace), field("f1", Kind::Replace), field("f2", Kind::Replace)] };
        }),
        ("looks at the first place only", |writes, _| writes.iter_mut().skip(1).for_each(|set| *set = FieldSet::EMPTY)),
    ];
    for (name, plant) in plants {
        let caught = super::plants::some_graphs().filter(|(topology, genes)| {
            let graph = Graph::of(topology);
            let Ok((verdict, analysis)) = super::agree::checked(topology) else { return false };
            let (fields, writes) = some_writes(topology, random(genes));
            let (mut wrong, mut other) = (writes.clone(), fields);
            plant(&mut wrong, &mut other);
            verdict.is_empty() && same(&graph, &parallel(&analysis, topology, &wrong, other), &writes, fields).is_err()
        });
        assert!(caught.count() > 0, "not caught: a check that {name}");
    }
}
