//! From what is written to what is meant. What later versions bring is refused here, by name, and the rest goes on.

mod names;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::Token;

use self::names::Named;
use crate::diagnostics::Diagnostics;
use crate::graph::model::{self, Arm, Budget, By, Cfg, Gate, GateId, Kind, Match, Model, PlaceId, Rule, Then, To, Way, WayId, labels_text};
use crate::graph::syntax::{
    self, Branch, Choice, Condition, Extent, Fork, ForkKind, Goal, Graph, Label, Last, Source, Statement, Step, Target, Ways, last_ident,
    path_extent,
};
use crate::messages;
use crate::names::unraw;

struct Lowering<'a> {
    model: Model,
    by_name: BTreeMap<String, PlaceId>,
    named: BTreeMap<String, Named>,
    /// Names inside of what is refused: no fact about them is wrong.
    refused: BTreeSet<String>,
    /// A statement was lost: what it said of a name is not known.
    lost: bool,
    sink: &'a mut Diagnostics,
}

pub(crate) fn lower(graph: &Graph, sink: &mut Diagnostics) -> Model {
    let (by_name, named, refused) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
    let mut lowering = Lowering { model: Model::default(), by_name, named, refused, lost: graph.lost, sink };
    for statement in &graph.statements {
        if let Statement::Facts(facts) = statement {
            lowering.facts(facts);
        }
    }
    for statement in &graph.statements {
        if let Statement::Ways(ways) = statement {
            lowering.ways(ways);
        }
    }
    lowering.settle_facts();
    lowering.model
}

/// Where a way begins: a place, or `start`.
#[derive(Clone, Copy)]
struct From {
    place: Option<PlaceId>,
    extent: Extent,
}

/// What is known of an arrow before its target is.
struct Arrow<'a> {
    froms: &'a [From],
    cfg: Cfg,
    kind: Kind,
    /// Where the phrase of the way begins, if not at its source.
    first: Option<Span>,
    /// The router of the match around it was named.
    in_arm: bool,
}

impl Lowering<'_> {
    pub(super) fn not_yet(&mut self, span: Span, what: &str, instead: &str) {
        self.sink.error(span, messages::not_yet(what, instead));
    }

    fn ways(&mut self, ways: &Ways) {
        let cfg = Cfg::new(&ways.cfgs);
        let mut froms = Vec::new();
        for source in &ways.sources {
            let extent = source.extent();
            let place = match source {
                Source::Start(word) => {
                    if ways.sources.len() > 1 {
                        self.sink.error(word.span(), messages::start_among_sources());
                    }
                    None
                }
                Source::End(word) => {
                    self.sink.error(word.span(), messages::out_of_end());
                    continue;
                }
                Source::Place(path) => match self.place(path, &cfg) {
                    Some(id) => Some(id),
                    None => continue,
                },
            };
            froms.push(From { place, extent });
        }
        let (condition, hole) = match &ways.condition {
            None => (None, false),
            Some(Condition::If(path)) => {
                let router = self.router(path, &cfg);
                self.model.conditions.push(model::Condition { router, cfg: cfg.clone(), at: path_extent(path) });
                (Some(self.model.conditions.len() - 1), false)
            }
            Some(Condition::On(word, kind)) => {
                self.not_yet(word.span(), &format!("ways `on {kind}` are"), "let the node return what happened as its route, for now");
                (None, true)
            }
            Some(Condition::Hole) => (None, true),
        };
        let router = condition.and_then(|id| self.model.conditions.get(id)).map(|condition| condition.router);
        let kind = router.map_or(Kind::Always, Kind::If);
        let arrow = Arrow { froms: &froms, cfg: cfg.clone(), kind, first: None, in_arm: false };
        let thens = self.way(&ways.way.steps, &ways.way.last, &arrow);
        for (from, then) in froms.iter().zip(thens) {
            let rule = Rule { cfg: cfg.clone(), condition, then, hole, source: from.extent, arrow: ways.arrow.spans[1] };
            self.rule(from.place, rule);
        }
    }

    fn rule(&mut self, from: Option<PlaceId>, rule: Rule) {
        match from {
            None => self.model.start.push(rule),
            Some(id) => {
                if let Some(place) = self.model.places.get_mut(id) {
                    place.rules.push(rule);
                }
            }
        }
    }

    /// What the sources do first, one answer each; what comes after the first step is written down once.
    fn way(&mut self, steps: &[(Step, Token![->])], last: &Last, arrow: &Arrow<'_>) -> Vec<Then> {
        let Some(((step, behind), rest)) = steps.split_first() else {
            return match last {
                Last::Goal(goal) => self.goal(goal, arrow),
                Last::Choice(choice) => self.choice(choice, arrow),
            };
        };
        let next = match step {
            Step::Place(path) => self.place(path, &arrow.cfg).map(|id| (id, path_extent(path))),
            Step::Fork(fork) => {
                self.refuse_fork(fork);
                None
            }
            Step::Hole => None,
        };
        let thens = match next {
            Some((id, extent)) => self.go(arrow, To::Place(id), extent.last),
            None => holes(arrow),
        };
        let froms: Vec<From> = next.into_iter().map(|(id, extent)| From { place: Some(id), extent }).collect();
        let onward = Arrow { froms: &froms, cfg: arrow.cfg.clone(), kind: Kind::Always, first: None, in_arm: false };
        let tails = self.way(rest, last, &onward);
        for (from, then) in froms.iter().zip(tails) {
            self.rule(
                from.place,
                Rule { cfg: arrow.cfg.clone(), condition: None, then, hole: false, source: from.extent, arrow: behind.spans[1] },
            );
        }
        thens
    }

    /// One way for each source.
    fn go(&mut self, arrow: &Arrow<'_>, to: To, last: Span) -> Vec<Then> {
        arrow.froms.iter().map(|from| Then::Go { way: self.add(arrow, *from, to, last), budget: None }).collect()
    }

    fn add(&mut self, arrow: &Arrow<'_>, from: From, to: To, last: Span) -> WayId {
        let extent = Extent { first: arrow.first.unwrap_or(from.extent.first), last };
        self.model.ways.push(Way { from: from.place, to, kind: arrow.kind.clone(), cfg: arrow.cfg.clone(), extent });
        self.model.ways.len() - 1
    }

    fn goal(&mut self, goal: &Goal, arrow: &Arrow<'_>) -> Vec<Then> {
        let target = self.target(&goal.target, arrow);
        let Some(written) = &goal.budget else {
            return target.map_or_else(|| holes(arrow), |(to, last)| self.go(arrow, to, last));
        };
        let at_most = match written.count.base10_parse::<u32>() {
            Ok(0) => Err(messages::budget_zero()),
            Ok(count) if written.count.suffix().is_empty() => Ok(count),
            _ => Err(messages::budget_range(&written.count.to_string())),
        };
        let at_most = at_most.unwrap_or_else(|message| {
            self.sink.error(written.count.span(), message);
            1
        });
        let label = match &arrow.kind {
            Kind::Arm { label, .. } => label.clone(),
            _ => String::new(),
        };
        let kind = Kind::Else { at_most, label };
        let other = Arrow { froms: arrow.froms, cfg: arrow.cfg.clone(), kind, first: Some(written.other.span), in_arm: arrow.in_arm };
        let other_target = self.target(&written.target, &other);
        let mut thens = Vec::new();
        for from in arrow.froms {
            let Some((to, last)) = target else {
                thens.push(Then::Hole);
                continue;
            };
            let way = self.add(arrow, *from, to, last);
            let other = other_target.map(|(to, last)| self.add(&other, *from, to, last));
            thens.push(Then::Go { way, budget: Some(Budget { at_most, other }) });
        }
        thens
    }

    fn target(&mut self, target: &Target, arrow: &Arrow<'_>) -> Option<(To, Span)> {
        let last = target.extent()?.last;
        let to = match target {
            Target::Place(path) => To::Place(self.place(path, &arrow.cfg)?),
            Target::End(word, name) => To::End(self.exit(word, name.as_ref(), &arrow.cfg)),
            Target::Never(word) => {
                if matches!(arrow.kind, Kind::Always) {
                    let from = arrow.froms.first().and_then(|f| f.place).and_then(|id| self.model.places.get(id));
                    self.sink.error(word.span(), messages::plainly_never(&from.map_or("start".to_owned(), |p| unraw(&p.name))));
                }
                To::Never
            }
            Target::Hole => return None,
        };
        Some((to, last))
    }

    fn choice(&mut self, choice: &Choice, arrow: &Arrow<'_>) -> Vec<Then> {
        let router = choice.router.as_ref().map(|path| self.router(path, &arrow.cfg));
        let refused = match &router {
            None if arrow.in_arm => Some(messages::choice_in_arm()),
            None if arrow.froms.iter().any(|f| f.place.is_none()) => Some(messages::start_chooses()),
            _ => None,
        };
        if let Some(message) = &refused {
            self.sink.error(choice.word.span, message);
        }
        let mut broken = choice.arms.broken;
        let mut per_source: Vec<Vec<(Cfg, Then)>> = arrow.froms.iter().map(|_| Vec::new()).collect();
        for arm in &choice.arms.arms {
            for label in &arm.labels {
                if let Label::End(word) = label {
                    broken = true;
                    self.not_yet(word.span(), "mounted graphs, whose exits `end` stands for, are", "leave this arm out");
                }
            }
            let text = match &arrow.kind {
                // A `match` in an arm: as it is written.
                Kind::Arm { label, .. } => format!("{label} => {}", labels_text(&arm.labels)),
                _ => labels_text(&arm.labels),
            };
            let first = arm.labels.first().map(|label| label.extent().first);
            let cfg = arrow.cfg.and(&arm.cfgs);
            let kind = Kind::Arm { router, label: text };
            let thens = self.way(&arm.to.steps, &arm.to.last, &Arrow { froms: arrow.froms, cfg, kind, first, in_arm: true });
            for (arms, then) in per_source.iter_mut().zip(thens) {
                arms.push((Cfg::new(&arm.cfgs), then));
            }
        }
        if refused.is_some() {
            return holes(arrow);
        }
        let shared = router.map(|router| self.gate(choice, By::Router(router), arrow, broken));
        let mut thens = Vec::new();
        for (from, arms) in arrow.froms.iter().zip(per_source) {
            let by = match (router, from.place) {
                (Some(router), _) => By::Router(router),
                (None, Some(place)) => By::Choice(place),
                (None, None) => continue,
            };
            let gate = shared.unwrap_or_else(|| self.gate(choice, by, arrow, broken));
            thens.push(Then::Match(Match { by, gate, arms }));
        }
        thens
    }

    fn gate(&mut self, choice: &Choice, by: By, arrow: &Arrow<'_>, broken: bool) -> GateId {
        let at = choice.router.as_ref().map_or(Extent::of(choice.word.span), path_extent);
        let arms = choice.arms.arms.iter().map(|arm| {
            let last = way_last(&arm.to).or(arm.labels.last().map(|label| label.extent().last)).unwrap_or(choice.arms.braces);
            Arm { cfg: Cfg::new(&arm.cfgs), labels: arm.labels.clone(), last }
        });
        let gate = Gate { by, cfg: arrow.cfg.clone(), at, braces: choice.arms.braces, arms: arms.collect(), broken };
        self.model.gates.push(gate);
        self.model.gates.len() - 1
    }

    fn refuse_fork(&mut self, fork: &Fork) {
        self.not_yet(fork.span, "forks (`[ ]`, `some`, `each`) are", "go on to one place at a time, for now");
        self.names_in(fork);
    }

    /// The names in a fork are in the graph, though nothing is made of them.
    fn names_in(&mut self, fork: &Fork) {
        let branches: Vec<&Branch> = match &fork.kind {
            ForkKind::All(branches) => branches.iter().collect(),
            ForkKind::Some { arms, .. } | ForkKind::EachMatch { arms, .. } => arms.arms.iter().map(|arm| &arm.to).collect(),
            ForkKind::Each { branch, .. } => vec![branch],
        };
        for step in branches.into_iter().flat_map(|branch| &branch.steps) {
            match step {
                Step::Place(path) => self.refused.extend(last_ident(path).map(unraw)),
                Step::Fork(fork) => self.names_in(fork),
                Step::Hole => {}
            }
        }
    }
}

fn holes(arrow: &Arrow<'_>) -> Vec<Then> {
    arrow.froms.iter().map(|_| Then::Hole).collect()
}

/// The last token of what stands behind an arrow.
fn way_last(way: &syntax::Way) -> Option<Span> {
    match &way.last {
        Last::Choice(choice) => Some(choice.arms.braces),
        Last::Goal(Goal { budget: Some(budget), .. }) => Some(budget.target.extent().map_or(budget.other.span, |e| e.last)),
        Last::Goal(goal) => goal.target.extent().map(|e| e.last),
    }
}
