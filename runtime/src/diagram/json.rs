//! Nodes and edges, as other tools read them.

use std::collections::BTreeMap;

use graphwright_layout::Mark;
use serde::{Deserialize, Serialize};

use super::Marks;
use crate::topology::scene::{Lane, Scene, Spot, What};
use crate::topology::{Origin, WayKind};

/// A graph in the form in which LangGraph tells of its own: its tools draw it. What they do not know stands in `metadata`.
///
/// ```json
/// {
///   "nodes": [
///     {"id": "__start__", "type": "schema", "data": "__start__", "metadata": {"kind": "start"}},
///     {"id": "react", "type": "runnable", "data": {"id": ["graphwright", "react"], "name": "react"}, "metadata": {"kind": "place", "role": "model", ..}}
///   ],
///   "edges": [
///     {"source": "__start__", "target": "react"},
///     {"source": "react", "target": "elicitation", "data": "if ask_user_pending", "conditional": true, "metadata": {"way": 1, "gate": true, ..}}
///   ]
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphJson {
    /// Start, places, choices, forks, joins and exits; those of an opened graph behind the name of its place and a colon.
    pub nodes: Vec<NodeJson>,
    /// The arrows, in the order in which they are tried.
    pub edges: Vec<EdgeJson>,
}

/// A node of a [`GraphJson`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeJson {
    /// Its name, once in a graph: of places their own, and `__start__`, `__end__`, `next?` for a choice, `fork:0`, `join:0`.
    pub id: String,
    /// `runnable` of what runs, `schema` of where it starts and ends.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is called.
    pub data: serde_json::Value,
    /// What more is known.
    pub metadata: BTreeMap<String, serde_json::Value>,
}

/// An edge of a [`GraphJson`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeJson {
    /// The node where it begins.
    pub source: String,
    /// The node where it ends.
    pub target: String,
    /// When it is taken; nothing if always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Whether there is another way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conditional: bool,
    /// What more is known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, serde_json::Value>,
}

impl GraphJson {
    pub(super) fn of(scene: &Scene<'_>, marks: Option<&Marks>) -> Self {
        let mut graph = Self { nodes: Vec::new(), edges: Vec::new() };
        graph.add(scene, "", marks);
        graph
    }

    fn add(&mut self, scene: &Scene<'_>, path: &str, marks: Option<&Marks>) {
        for spot in &scene.spots {
            let id = id(scene, path, spot);
            if let Some(inner) = &spot.inner {
                let name = scene.place(spot).map_or("", |place| place.name);
                self.add(inner, &format!("{id}:"), marks.and_then(|marks| marks.inside(name)));
            } else {
                self.nodes.push(node(scene, spot, id, marks));
            }
        }
        for lane in &scene.lanes {
            let (Some(from), Some(to)) = (scene.spots.get(lane.from), scene.spots.get(lane.to)) else { continue };
            let (mut source, mut target) = (id(scene, path, from), id(scene, path, to));
            if let Some(inner) = &from.inner {
                let exit = lane.exit.and_then(|exit| inner.spots.get(exit)).or_else(|| inner.spots.first());
                source = exit.map_or_else(String::new, |exit| id_within(inner, &source, exit));
            }
            if let Some(inner) = &to.inner {
                target = inner.spots.first().map_or_else(String::new, |start| id_within(inner, &target, start));
            }
            let label = lane.label(" ");
            self.edges.push(EdgeJson {
                source,
                target,
                data: (!label.is_empty()).then_some(label),
                conditional: is_conditional(scene, lane),
                metadata: facts(lane, marks),
            });
        }
    }
}

fn id_within(inner: &Scene<'_>, place: &str, spot: &Spot) -> String {
    id(inner, &format!("{place}:"), spot)
}

fn id(scene: &Scene<'_>, path: &str, spot: &Spot) -> String {
    let title = || scene.title(spot);
    match spot.what {
        What::Start => format!("{path}__start__"),
        What::Place(_) => format!("{path}{}", scene.place(spot).map_or("", |place| place.name)),
        // One router may stand behind several places.
        What::Choice(way) => format!("{path}{}?{way}", title()),
        What::Fork(fork) => format!("{path}fork:{fork}"),
        What::Join(fork) => format!("{path}join:{fork}"),
        What::Exit(_) if title() == "end" => format!("{path}__end__"),
        What::Exit(_) => format!("{path}end:{}", title()),
    }
}

/// Whether there is another way from the same spot; all branches of a fork begin.
fn is_conditional(scene: &Scene<'_>, lane: &Lane) -> bool {
    match lane.kind {
        WayKind::If { .. } | WayKind::Arm { .. } | WayKind::Else { .. } | WayKind::Error | WayKind::Expiry => true,
        WayKind::Branch { label } => !label.is_empty(),
        WayKind::Always => {
            let Some(way) = lane.way.and_then(|way| scene.topology.ways.get(way)) else { return false };
            scene.topology.ways.iter().filter(|other| other.from == way.from).count() > 1 && way.from != Origin::Start
        }
    }
}

fn node(scene: &Scene<'_>, spot: &Spot, id: String, marks: Option<&Marks>) -> NodeJson {
    let mut metadata: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    let mut say = |key: &str, value: serde_json::Value| {
        metadata.insert(key.to_owned(), value);
    };
    let kind = match spot.what {
        What::Start => "start",
        What::Place(_) => "place",
        What::Choice(_) => "choice",
        What::Fork(_) => "fork",
        What::Join(_) => "join",
        What::Exit(_) => "end",
    };
    say("kind", kind.into());
    if let What::Fork(fork) | What::Join(fork) = spot.what
        && let Some(fork) = scene.topology.forks.get(usize::from(fork))
    {
        say("branches", fork.kind.name().into());
        if let Some(router) = fork.router {
            say("router", router.into());
        }
    }
    if let Some(place) = scene.place(spot) {
        say("role", place.role.name().into());
        say("node", place.node.into());
        for (key, said) in [
            ("asks", place.asks),
            ("pauses", place.pauses),
            ("needs_approval", place.needs_approval),
            ("approves", place.approves),
            ("one_per_item", spot.stacked),
        ] {
            if said {
                say(key, true.into());
            }
        }
        if !place.docs.is_empty() {
            say("docs", place.docs.into());
        }
        if !place.file.is_empty() {
            say("file", place.file.into());
            say("line", place.line.into());
        }
        if let Some(marks) = marks {
            say("mark", mark(marks.of(place.name)).into());
        }
    }
    let ends = matches!(spot.what, What::Start | What::Exit(_));
    let name = if spot.what == What::Start { "__start__".to_owned() } else { scene.title(spot) };
    let data = if ends { name.into() } else { serde_json::json!({"id": ["graphwright", id], "name": name}) };
    NodeJson { id, kind: if ends { "schema" } else { "runnable" }.to_owned(), data, metadata }
}

const fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Visited => "visited",
        Mark::Active => "active",
        Mark::Paused => "paused",
        Mark::Failed => "failed",
        _ => "none",
    }
}

fn facts(lane: &Lane, marks: Option<&Marks>) -> BTreeMap<String, serde_json::Value> {
    let mut facts: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    let mut say = |key: &str, value: serde_json::Value| {
        facts.insert(key.to_owned(), value);
    };
    let Some(way) = lane.way else { return facts };
    say("way", way.into());
    let kind = match lane.kind {
        WayKind::Always => "always",
        WayKind::If { .. } => "if",
        WayKind::Arm { .. } => "arm",
        WayKind::Else { .. } => "else",
        WayKind::Branch { .. } => "branch",
        WayKind::Error => "error",
        WayKind::Expiry => "expiry",
    };
    say("kind", kind.into());
    if let WayKind::If { router, .. } | WayKind::Arm { router: Some(router), .. } = lane.kind {
        say("router", router.into());
    }
    if let WayKind::If { gate: true, .. } = lane.kind {
        say("gate", true.into());
    }
    if !lane.budget.is_empty() {
        say("budget", lane.budget.as_str().into());
    }
    if lane.back {
        say("back", true.into());
    }
    if let Some(marks) = marks {
        say("taken", marks.taken(way).into());
    }
    facts
}
