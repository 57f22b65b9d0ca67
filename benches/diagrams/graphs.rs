//! The graphs that are drawn.

use graphwright::topology::{Facts, Fork, ForkKind, Origin, Place, Role, Target, Topology, Way, WayKind};

/// Agents one behind the other, ten places each: a gate, a choice, a map and its join, loops with budgets.
pub fn team(agents: u16) -> Topology {
    const PLACES: [(&str, Role); 10] = [
        ("plan", Role::Model),
        ("elicitation", Role::Elicitation),
        ("search", Role::Tools),
        ("read_page", Role::Tools),
        ("take_notes", Role::Plain),
        ("review", Role::Model),
        ("approve", Role::Interrupt),
        ("rewrite", Role::Model),
        ("summarize", Role::Plain),
        ("give_up", Role::Cut),
    ];
    let (mut places, mut forks, mut ways) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = Origin::Start;
    for agent in 0..agents {
        let at = |place: u16| Origin::Place(agent * 10 + place);
        let to = |place: u16| Target::Place(agent * 10 + place);
        let arm = |label| WayKind::Arm { router: Some("next"), label };
        let own = |label| WayKind::Arm { router: None, label };
        places.extend(PLACES.map(|(name, role)| place(format!("{name}_{agent}"), role)));
        forks.push(Fork { kind: ForkKind::Each, router: Some("found_pages"), by: None, join: Some(agent * 10 + 5) });
        ways.extend([
            Way { from: before, to: to(0), kind: WayKind::Always },
            Way { from: at(0), to: to(1), kind: WayKind::If { router: "ask_user_pending", gate: true } },
            Way { from: at(0), to: to(2), kind: arm("Search") },
            Way { from: at(0), to: to(9), kind: WayKind::Else { at_most: 8, label: "Search" } },
            Way { from: at(0), to: to(5), kind: arm("Answer") },
            Way { from: at(1), to: to(0), kind: WayKind::Always },
            Way { from: at(2), to: Target::Fork(agent), kind: WayKind::Always },
            Way { from: Origin::Fork(agent), to: to(3), kind: WayKind::Branch { label: "" } },
            Way { from: at(3), to: to(4), kind: WayKind::Always },
            Way { from: at(4), to: Target::Join(agent), kind: WayKind::Always },
            Way { from: Origin::Join(agent), to: to(5), kind: WayKind::Always },
            Way { from: at(5), to: to(0), kind: own("Again") },
            Way { from: at(5), to: to(6), kind: own("Ask") },
            Way { from: at(5), to: to(8), kind: own("Fine") },
            Way { from: at(6), to: to(8), kind: own("Approve") },
            Way { from: at(6), to: to(7), kind: own("Edit") },
            Way { from: at(6), to: Target::End(1), kind: own("Declined | Cancelled") },
            Way { from: at(7), to: to(5), kind: WayKind::Always },
            Way { from: at(9), to: Target::End(1), kind: WayKind::Always },
        ]);
        before = at(8);
    }
    ways.push(Way { from: before, to: Target::End(0), kind: WayKind::Always });
    topology(places, forks, ways)
}

/// Places with two ways each to anywhere: the worst that somebody could write.
pub fn web(places: u16) -> Topology {
    let mut random = 1_u64;
    let mut any = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from((random >> 33) % u64::from(places)).unwrap_or(0)
    };
    let mut ways = vec![Way { from: Origin::Start, to: Target::Place(0), kind: WayKind::Always }];
    for from in (0..places).map(Origin::Place) {
        ways.push(Way { from, to: Target::Place(any()), kind: WayKind::If { router: "so", gate: false } });
        ways.push(Way { from, to: Target::Place(any()), kind: WayKind::Always });
    }
    topology((0..places).map(|number| place(format!("place_{number}"), Role::Plain)).collect(), Vec::new(), ways)
}

fn place(name: String, role: Role) -> Place {
    let name: &'static str = name.leak();
    Place {
        name,
        node: name,
        title: None,
        role,
        asks: role == Role::Model,
        pauses: matches!(role, Role::Elicitation | Role::Interrupt),
        docs: "",
        file: "",
        line: 0,
        needs_approval: false,
        approves: false,
        notifies: false,
        facts: &Facts::NONE,
        graph: None,
    }
}

fn topology(places: Vec<Place>, forks: Vec<Fork>, ways: Vec<Way>) -> Topology {
    Topology {
        name: "Team",
        version: 1,
        docs: "",
        file: "",
        line: 0,
        places: places.leak(),
        forks: forks.leak(),
        ways: ways.leak(),
        exits: &["end", "failed"],
        steps: 100,
        endless: false,
        unreachable: false,
        lints: graphwright::topology::Lints::NONE,
    }
}
