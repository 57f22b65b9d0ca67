//! Graphs and facts with one thing changed.

use graphwright::topology::{Fork, ForkKind, Place, Role, Target, Topology, Way, WayKind};

use crate::facts::Facts;
use crate::said::name;

/// Every way left out, led elsewhere and called otherwise; every place renamed, given another role, made to pause or not,
/// and emptied of what is mounted there; every fork of another kind and by another router.
pub(crate) fn in_topology(topology: &Topology, facts: &Facts) -> Vec<(String, Topology)> {
    let mut planted = vec![("the graph is renamed".to_owned(), Topology { name: "Planted", ..copy(topology) })];
    for (number, way) in topology.ways.iter().enumerate() {
        let mut rest = topology.ways.to_vec();
        rest.remove(number);
        planted.push((format!("way {number} is left out"), Topology { ways: rest.leak(), ..copy(topology) }));
        let to = if way.to == Target::Never { Target::Place(0) } else { Target::Never };
        planted.push((format!("way {number} leads elsewhere"), with_way(topology, number, Way { to, ..*way })));
        // The targets of a goto have no labels in the facts.
        let place = way.from.place().map(|place| name(&topology.places[usize::from(place)]));
        let goes = facts.command_goto.iter().any(|goto| Some(goto.node.as_str()) == place);
        if let Some(kind) = called_otherwise(way.kind).filter(|kind| !(goes && matches!(kind, WayKind::Arm { router: None, .. }))) {
            planted.push((format!("way {number} is called otherwise"), with_way(topology, number, Way { kind, ..*way })));
        }
    }
    for (number, place) in topology.places.iter().enumerate() {
        let mut plant = |what: &str, place: Place| {
            let mut places = topology.places.to_vec();
            places[number] = place;
            planted.push((format!("{} {what}", place.name), Topology { places: places.leak(), ..copy(topology) }));
        };
        plant("is renamed", Place { title: Some("Planted"), ..*place });
        plant("has another role", Place { role: if place.role == Role::Model { Role::Tools } else { Role::Model }, ..*place });
        if place.graph.is_none() {
            plant("pauses, or does not", Place { pauses: !place.pauses, ..*place });
        } else {
            plant("has nothing mounted", Place { graph: None, ..*place });
        }
    }
    for (number, fork) in topology.forks.iter().enumerate() {
        let mut plant = |what: &str, fork: Fork| {
            let mut forks = topology.forks.to_vec();
            forks[number] = fork;
            planted.push((format!("fork {number} {what}"), Topology { forks: forks.leak(), ..copy(topology) }));
        };
        let kinds = [ForkKind::All, ForkKind::Some, ForkKind::Each].into_iter().filter(|kind| *kind != fork.kind);
        kinds.for_each(|kind| plant(&format!("is of kind {}", kind.name()), Fork { kind, ..*fork }));
        if fork.router.is_some() {
            plant("has another router", Fork { router: Some("planted"), ..*fork });
        }
    }
    planted
}

fn called_otherwise(kind: WayKind) -> Option<WayKind> {
    Some(match kind {
        WayKind::Arm { router, .. } => WayKind::Arm { router, label: "Planted" },
        WayKind::Branch { label } if !label.is_empty() => WayKind::Branch { label: "Planted" },
        WayKind::If { router, gate } => WayKind::If { router, gate: !gate },
        WayKind::Always => WayKind::If { router: "planted", gate: false },
        WayKind::Branch { .. } | WayKind::Else { .. } | WayKind::Error | WayKind::Expiry => return None,
    })
}

fn with_way(topology: &Topology, number: usize, way: Way) -> Topology {
    let mut ways = topology.ways.to_vec();
    ways[number] = way;
    Topology { ways: ways.leak(), ..copy(topology) }
}

fn copy(topology: &Topology) -> Topology {
    Topology { ..*topology }
}

/// Every fact left out.
pub(crate) fn in_facts(facts: &Facts) -> Vec<(String, Facts)> {
    let mut planted = Vec::new();
    macro_rules! without {
        ($($field:ident $gone:ident: $what:expr),+) => {$(
            for (number, $gone) in facts.$field.iter().enumerate() {
                let mut facts = facts.clone();
                facts.$field.remove(number);
                planted.push((format!("without {}", $what), facts));
            }
        )+};
    }
    without!(
        nodes gone: gone.name,
        edges gone: format!("{} -> {}", gone.from, gone.to),
        joins gone: format!("join {}", gone.at),
        interrupts gone: format!("pause {}", gone.node)
    );
    // What is sent once is where a router or a goto leads, and says nothing more.
    for number in (0..facts.sends.len()).filter(|send| facts.sends[*send].map_over.is_some()) {
        let mut facts = facts.clone();
        let gone = facts.sends.remove(number);
        planted.push((format!("without {} each {}", gone.from, gone.target), facts));
    }
    for number in (0..facts.subgraphs.len()).filter(|graph| facts.nodes.iter().any(|node| node.name == facts.subgraphs[*graph].mounted_as))
    {
        let mut facts = facts.clone();
        let gone = facts.subgraphs.remove(number);
        planted.push((format!("without mount {}", gone.mounted_as), facts));
    }
    for (number, conditional) in facts.conditional.iter().enumerate() {
        // A send for each of something says so, too.
        if !facts.sends.iter().any(|send| send.from == conditional.from && send.map_over.is_some()) {
            let mut facts = facts.clone();
            facts.conditional[number].can_fan_out ^= true;
            planted.push((format!("{} fans out, or does not", conditional.from), facts));
        }
        for label in conditional.branches.keys() {
            let mut facts = facts.clone();
            facts.conditional[number].branches.remove(label);
            planted.push((format!("without {} -- {label}", conditional.from), facts));
        }
    }
    for (number, goto) in facts.command_goto.iter().enumerate() {
        for (target, name) in goto.targets.iter().enumerate() {
            let mut facts = facts.clone();
            facts.command_goto[number].targets.remove(target);
            planted.push((format!("without {} goto {name}", goto.node), facts));
        }
    }
    planted
}
