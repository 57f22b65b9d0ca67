//! The picture in the docs of a graph's type.
//!
//! `graph!` writes `#[cfg_attr(doc, doc = picture! { .. })]` with its own tokens in it, so that it is rustdoc that draws it,
//! and nobody else does any work for it. A macro sees what the graph says, and no more: what a node elsewhere says of itself
//! is drawn plainly, and all else as [`Topology::diagram`] draws it.
//!
//! [`Topology::diagram`]: https://docs.rs/graphwright/latest/graphwright/topology/struct.Topology.html#method.diagram

use std::collections::BTreeSet;

use graphwright_layout::{Edge, Line, Node, Picture, Shape, Tint};
use proc_macro2::TokenStream;
use quote::quote;

use super::lower::items::{Point, around, points};
use super::model::{Around, ForkId, ForkKind, Kind, Model, Origin, Place, RouterId, To, Way};
use super::syntax::{Graph, Written, last_ident, path_text};
use super::{lower, read, split};
use crate::diagnostics::Diagnostics;
use crate::names::{docs, unraw};

/// The attribute. A node may be seen by fewer than its graph: its name is then no link, and nothing is wrong with that.
pub(super) fn attribute(krate: &TokenStream, body: &TokenStream) -> TokenStream {
    quote! {
        #[cfg_attr(
            doc,
            doc = "",
            doc = #krate::__private::picture_macro! { #krate; #body },
            allow(rustdoc::private_intra_doc_links)
        )]
    }
}

/// What is in the attribute: a literal.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut sink = Diagnostics::default();
    let Some(Written::Graph(graph)) = read(split(input).1, &mut sink) else { return quote!("") };
    let model = lower::lower(&graph, &mut sink);
    // What is wrong is said by the graph itself.
    let text = if sink.is_empty() { Sketch::of(&graph, &model).markdown() } else { String::new() };
    quote!(#text)
}

/// What an arrow leads from or to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    At(Origin),
    /// The router of the `match` behind a place or a join.
    Choice(Origin),
    Exit(usize),
}

struct Sketch<'a> {
    model: &'a Model,
    spots: Vec<(Spot, Node)>,
    edges: Vec<Edge>,
}

impl<'a> Sketch<'a> {
    fn of(graph: &Graph, model: &'a Model) -> Picture {
        let mut sketch = Self { model, spots: Vec::new(), edges: Vec::new() };
        sketch.add(Spot::At(Origin::Start), Node { shape: Shape::Start, tooltip: "start".to_owned(), ..Node::default() });
        for (id, place) in model.places.iter().enumerate() {
            sketch.add(Spot::At(Origin::Place(id)), sketch.place(id, place));
        }
        for way in &model.ways {
            if let Some(router) = sketch.router_of(way.from).filter(|_| !sketch.has(Spot::Choice(way.from))) {
                let label = sketch.router(router);
                let tooltip = format!("{label}: a choice");
                let node = Node { label, tooltip, shape: Shape::Hexagon, tint: Tint::Choice, ..Node::default() };
                sketch.add(Spot::Choice(way.from), node);
            }
        }
        for (id, fork) in model.forks.iter().enumerate() {
            let label = sketch.fork(fork.kind);
            let tooltip = format!("{}: branches begin", if label.is_empty() { "all" } else { &label });
            sketch.add(Spot::At(Origin::Fork(id)), Node { label, tooltip, shape: Shape::Bar, ..Node::default() });
            let join = Node { tooltip: "branches meet".to_owned(), shape: Shape::Bar, ..Node::default() };
            sketch.add(Spot::At(Origin::Join(id)), join);
        }
        for (id, exit) in model.exits.iter().enumerate() {
            let name = unraw(&exit.name);
            let label = if name == "end" { String::new() } else { name.clone() };
            sketch.add(Spot::Exit(id), Node { label, tooltip: name, shape: Shape::End, ..Node::default() });
        }
        sketch.draw();
        sketch.forget_unused();
        let docs = docs(&graph.attrs);
        let description = sketch.description(docs.lines().map(str::trim).find(|line| !line.is_empty()));
        let nodes = sketch.spots.into_iter().map(|(_, node)| node).collect();
        Picture { name: unraw(&graph.name), description, nodes, edges: sketch.edges, marked: false }
    }

    fn add(&mut self, spot: Spot, node: Node) {
        self.spots.push((spot, node));
    }

    fn find(&self, spot: Spot) -> Option<usize> {
        self.spots.iter().position(|(other, _)| *other == spot)
    }

    fn has(&self, spot: Spot) -> bool {
        self.find(spot).is_some()
    }

    fn ways(&self, from: Origin) -> impl Iterator<Item = &'a Way> + use<'a> {
        self.model.ways.iter().filter(move |way| way.from == from)
    }

    fn router(&self, id: RouterId) -> String {
        self.model.routers.get(id).and_then(|router| last_ident(&router.path)).map(unraw).unwrap_or_default()
    }

    /// The router that chooses among several arms behind a place or a join.
    fn router_of(&self, from: Origin) -> Option<RouterId> {
        let mut arms = self.ways(from).filter_map(|way| match way.kind {
            Kind::Arm { router, .. } => Some(router),
            _ => None,
        });
        let first = arms.next()??;
        arms.next().map(|_| first)
    }

    fn fork(&self, kind: ForkKind) -> String {
        match kind {
            ForkKind::All => String::new(),
            ForkKind::Some { router, .. } => format!("some {}", self.router(router)),
            ForkKind::Each { router, by: None } => format!("each {}", self.router(router)),
            ForkKind::Each { router, by: Some((by, _)) } => format!("each {}, by {}", self.router(router), self.router(by)),
        }
    }

    fn place(&self, id: usize, place: &Place) -> Node {
        let from = Origin::Place(id);
        let label = place.title.as_ref().map_or_else(|| unraw(&place.name), syn::LitStr::value);
        let is_gate = |way: &&Way| self.is_gate(way);
        let asks = self.model.ways.iter().filter(is_gate).any(|way| way.to == To::Place(id)) || self.is_answered(id, place);
        let own = self.ways(from).filter(|way| matches!(way.kind, Kind::Arm { router: None, .. })).count();
        let (tint, role) = if place.mount.is_some() {
            (Tint::Graph, ": graph")
        } else if asks {
            (Tint::Asking, ": asks somebody, and pauses")
        } else if self.ways(from).any(|way| is_gate(&way)) {
            (Tint::Model, ": model, may ask the user")
        } else {
            (Tint::Plain, "")
        };
        let stacked = place.items.iter().all(|around| *around != Around::Nothing);
        let more = if stacked { ", one for each item" } else { "" };
        Node {
            tooltip: format!("{label}{role}{more}"),
            label,
            shape: if own > 1 && tint == Tint::Plain { Shape::Hexagon } else { Shape::Box },
            tint,
            asks: asks && place.mount.is_none(),
            stacked,
            // Where the place is left out, its name leads nowhere.
            link: place.presence.is_always().then(|| path_text(&place.path)),
            ..Node::default()
        }
    }

    fn is_gate(&self, way: &Way) -> bool {
        matches!(way.kind, Kind::If(router) if self.router(router) == "ask_user_pending")
    }

    /// Whether its ways are those of an answer.
    fn is_answered(&self, id: usize, place: &Place) -> bool {
        let refusals = |label: &str| label.split(" | ").any(|label| ["Declined", "Cancelled"].contains(&label));
        let declines = |way: &Way| match &way.kind {
            Kind::Arm { router: None, label } => refusals(label),
            kind => matches!(kind, Kind::Expiry),
        };
        place.policies.expires.is_some()
            || last_ident(&place.path).is_some_and(|name| name == "elicitation")
            || self.ways(Origin::Place(id)).any(declines)
    }

    fn draw(&mut self) {
        let seen = points(self.model);
        for (number, way) in self.model.ways.iter().enumerate() {
            let Some(mut from) = self.find(Spot::At(way.from)) else { continue };
            let is_arm = match &way.kind {
                Kind::Arm { .. } => true,
                Kind::Else { label, .. } => !label.is_empty(),
                _ => false,
            };
            if let Some(choice) = self.find(Spot::Choice(way.from)).filter(|_| is_arm) {
                if !self.edges.iter().any(|edge| edge.to == choice) {
                    self.edges.push(Edge { from, to: choice, ..Edge::default() });
                }
                from = choice;
            }
            for to in self.targets(way, &seen) {
                let Some(to) = self.find(to) else { continue };
                let line = match way.kind {
                    _ if self.is_gate(way) => Line::Gate,
                    Kind::Error => Line::Error,
                    _ => Line::Plain,
                };
                let label = self.label(number, way, "\n").replace(" | ", ", ");
                self.edges.push(Edge { from, to, label, line, ..Edge::default() });
            }
        }
    }

    /// Where an arrow ends: at a join, too, if its place stands in a branch, and outside.
    fn targets(&self, way: &Way, seen: &BTreeSet<Point>) -> Vec<Spot> {
        let within: Vec<Option<ForkId>> = match way.from {
            Origin::Fork(fork) => vec![Some(fork)],
            from => around(seen, from).collect(),
        };
        let is_lost = within.is_empty();
        let within = if is_lost { vec![None] } else { within };
        let mut targets = Vec::new();
        for fork in within {
            let met = fork.and_then(|fork| self.model.meeting(fork));
            let target = match way.to {
                To::Place(place) if met == Some(place) => fork.map(|fork| Spot::At(Origin::Join(fork))),
                To::Place(place) => Some(Spot::At(Origin::Place(place))),
                To::Fork(fork) => Some(Spot::At(Origin::Fork(fork))),
                To::Join(join) => (is_lost || fork == Some(join)).then_some(Spot::At(Origin::Join(join))),
                To::End(exit) => Some(Spot::Exit(exit)),
                To::Never => None,
            };
            targets.extend(target.filter(|target| !targets.contains(target)));
        }
        targets
    }

    fn label(&self, number: usize, way: &Way, between: &str) -> String {
        let when = match &way.kind {
            Kind::Always => String::new(),
            Kind::If(router) => format!("if {}", self.router(*router)),
            Kind::Arm { label, .. } | Kind::Else { label, .. } | Kind::Branch { label } => label.clone(),
            Kind::Error => "on error".to_owned(),
            Kind::Expiry => "on expiry".to_owned(),
        };
        let budget = match (&way.kind, self.model.ways.get(number + 1).map(|next| &next.kind)) {
            (Kind::Else { at_most, .. }, _) => format!("else, after {at_most}"),
            (_, Some(Kind::Else { at_most, .. })) => format!("at most {at_most}"),
            _ => String::new(),
        };
        let said = [when, budget].into_iter().filter(|said| !said.is_empty());
        said.collect::<Vec<_>>().join(between)
    }

    /// Forks, joins and exits that nothing leads to or from are not drawn.
    fn forget_unused(&mut self) {
        let used: BTreeSet<usize> = self.edges.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        let keeps = |(number, (spot, _)): (usize, &(Spot, Node))| {
            used.contains(&number) || matches!(spot, Spot::At(Origin::Start | Origin::Place(_)))
        };
        let kept: Vec<bool> = self.spots.iter().enumerate().map(keeps).collect();
        let renumbered = |number: usize| kept.iter().take(number).filter(|kept| **kept).count();
        for edge in &mut self.edges {
            (edge.from, edge.to) = (renumbered(edge.from), renumbered(edge.to));
        }
        let mut kept = kept.iter().copied();
        self.spots.retain(|_| kept.next().unwrap_or(true));
    }

    /// Every arrow in words.
    fn description(&self, docs: Option<&str>) -> String {
        let spoken = |number: usize| match self.spots.get(number) {
            Some((Spot::At(Origin::Join(_)), _)) => "the join",
            Some((Spot::At(Origin::Fork(_)), node)) if node.label.is_empty() => "all",
            Some((Spot::At(Origin::Start) | Spot::Exit(_), node)) => &node.tooltip,
            Some((_, node)) => &node.label,
            None => "",
        };
        let sentence = |edge: &Edge| {
            let label = edge.label.replace('\n', " ");
            let label = if label.is_empty() { label } else { format!(" ({label})") };
            format!("{} to {}{label}.", spoken(edge.from), spoken(edge.to))
        };
        docs.map(str::to_owned).into_iter().chain(self.edges.iter().map(sentence)).collect::<Vec<_>>().join(" ")
    }
}
