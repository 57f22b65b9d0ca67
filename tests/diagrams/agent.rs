//! The graph of most of these tests.

use graphwright::topology::{Facts, Origin, Place, Role, Target, Topology, Way, WayKind};

pub(super) const fn place(name: &'static str, role: Role) -> Place {
    Place {
        name,
        node: name,
        title: None,
        role,
        asks: false,
        pauses: false,
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

pub(super) const fn way(from: u16, to: Target, kind: WayKind) -> Way {
    Way { from: Origin::Place(from), to, kind }
}

pub(super) const fn routed(label: &'static str) -> WayKind {
    WayKind::Arm { router: Some("next"), label }
}

pub(super) const fn own(label: &'static str) -> WayKind {
    WayKind::Arm { router: None, label }
}

pub(super) static AGENT: Topology = agent();

pub(super) const fn agent() -> Topology {
    const PLACES: &[Place] = &[
        Place { asks: true, ..place("react", Role::Model) },
        Place { pauses: true, ..place("elicitation", Role::Elicitation) },
        Place {
            node: "run_tools",
            title: Some("Run the tools"),
            docs: "Runs them.",
            file: "src/a.rs",
            line: 12,
            ..place("tools", Role::Tools)
        },
        Place { pauses: true, ..place("approve", Role::Interrupt) },
        place("give_up", Role::Plain),
        Place { pauses: true, ..place("research", Role::Graph) },
    ];
    const WAYS: &[Way] = &[
        Way { from: Origin::Start, to: Target::Place(0), kind: WayKind::Always },
        way(0, Target::Place(1), WayKind::If { router: "ask_user_pending", gate: true }),
        way(0, Target::Place(2), routed("Tools")),
        way(0, Target::Place(4), WayKind::Else { at_most: 8, label: "Tools" }),
        way(0, Target::Place(3), routed("Approve")),
        way(0, Target::Place(5), routed("Search")),
        way(0, Target::End(0), routed("Finish")),
        way(1, Target::Place(0), WayKind::Always),
        way(2, Target::Place(0), WayKind::Always),
        way(3, Target::End(0), own("Approve | Edit")),
        way(3, Target::Place(0), own("Declined")),
        way(4, Target::End(1), WayKind::Always),
        way(5, Target::Place(0), WayKind::Always),
        way(3, Target::Never, own("Cancelled")),
    ];
    Topology {
        name: "SupportAgent",
        version: 3,
        docs: "Answers support tickets.",
        file: "src/lib.rs",
        line: 7,
        places: PLACES,
        forks: &[],
        ways: WAYS,
        exits: &["end", "failed"],
        steps: 100,
        endless: false,
        unreachable: false,
        lints: graphwright::topology::Lints::NONE,
    }
}

pub(super) fn with_place(number: usize, change: impl Fn(&mut Place)) -> Topology {
    let mut places = AGENT.places.to_vec();
    change(&mut places[number]);
    Topology { places: places.leak(), ..agent() }
}

pub(super) fn with_way(number: usize, change: impl Fn(&mut Way)) -> Topology {
    let mut ways = AGENT.ways.to_vec();
    change(&mut ways[number]);
    Topology { ways: ways.leak(), ..agent() }
}
