//! From what is written to what is meant.

mod facts;
mod forks;
pub(super) mod items;
mod names;

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::Token;

use self::facts::Named;
use self::forks::End;
use crate::diagnostics::Diagnostics;
use crate::graph::model::{
    self, Around, Budget, By, Cfg, GateId, Kind, Match, Model, On, Origin, PlaceId, Rule, Then, To, Way, WayId, labels_text,
};
use crate::graph::syntax::{
    self, Arms, Choice, Condition, Extent, Goal, Graph, Label, Last, Source, Statement, Step, Target, Ways, path_extent,
};
use crate::messages;
use crate::names::unraw;

struct Lowering<'a> {
    model: Model,
    by_name: BTreeMap<String, PlaceId>,
    named: BTreeMap<String, Named>,
    /// How each branch ends.
    ends: Vec<End>,
    graph: String,
    /// A statement was lost: what it said of a name is not known.
    lost: bool,
    sink: &'a mut Diagnostics,
}

pub(crate) fn lower(graph: &Graph, sink: &mut Diagnostics) -> Model {
    let mut lowering = Lowering {
        model: Model::default(),
        by_name: BTreeMap::new(),
        named: BTreeMap::new(),
        ends: Vec::new(),
        graph: unraw(&graph.name),
        lost: graph.lost,
        sink,
    };
    for statement in &graph.statements {
        if let Statement::Facts(facts) = statement {
            lowering.facts(facts);
        }
    }
    lowering.settle_mounts();
    for statement in &graph.statements {
        if let Statement::Ways(ways) = statement {
            lowering.ways(ways);
        }
    }
    lowering.settle_ends();
    lowering.settle_facts();
    items::settle(&mut lowering.model);
    lowering.model
}

/// Where a way begins.
#[derive(Clone, Copy)]
struct From {
    origin: Origin,
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
    fn ways(&mut self, ways: &Ways) {
        let cfg = Cfg::new(&ways.cfgs);
        let mut froms = Vec::new();
        for source in &ways.sources {
            let extent = source.extent();
            let origin = match source {
                Source::Start(word) => {
                    if ways.sources.len() > 1 {
                        self.sink.error(word.span(), messages::start_among_sources());
                    }
                    Origin::Start
                }
                Source::End(word) => {
                    self.sink.error(word.span(), messages::out_of_end());
                    continue;
                }
                Source::Place(path) => match self.place(path, &cfg) {
                    Some(id) => Origin::Place(id),
                    None => continue,
                },
            };
            froms.push(From { origin, extent });
        }
        let (condition, hole) = match &ways.condition {
            None => (None, false),
            Some(Condition::If(path)) => {
                let router = self.router(path, Around::Nothing, &cfg);
                self.model.conditions.push(model::Condition { router, cfg: cfg.clone(), at: path_extent(path) });
                (Some(self.model.conditions.len() - 1), false)
            }
            Some(Condition::On(word, kind)) => return self.on(ways, &froms, word.span(), kind == "expiry"),
            Some(Condition::Hole) => (None, true),
        };
        let router = condition.and_then(|id| self.model.conditions.get(id)).map(|condition| condition.router);
        let kind = router.map_or(Kind::Always, Kind::If);
        let arrow = Arrow { froms: &froms, cfg: cfg.clone(), kind, first: None, in_arm: false };
        let thens = self.way(&ways.way.steps, &ways.way.last, &arrow);
        for (from, then) in froms.iter().zip(thens) {
            let rule = Rule { cfg: cfg.clone(), condition, then, hole, source: from.extent, arrow: ways.arrow.spans[1] };
            self.rule(from.origin, rule);
        }
    }

    /// `a -> b on error`: outside of the order in which ways are tried.
    fn on(&mut self, ways: &Ways, froms: &[From], at: Span, expiry: bool) {
        let cfg = Cfg::new(&ways.cfgs);
        let (kind, word) = if expiry { (Kind::Expiry, "expiry") } else { (Kind::Error, "error") };
        let arrow = Arrow { froms, cfg: cfg.clone(), kind, first: None, in_arm: false };
        let thens = self.way(&ways.way.steps, &ways.way.last, &arrow);
        for (from, then) in froms.iter().zip(thens) {
            let Some(place) = from.origin.place().and_then(|id| self.model.places.get_mut(id)) else {
                self.sink.error(at, messages::on_of_start(word));
                continue;
            };
            if place.on.iter().any(|on| on.expiry == expiry && on.cfg.meets(&cfg)) {
                self.sink.error(at, messages::two_on(&unraw(&place.name), word));
            }
            if let Then::Go { way, .. } = then {
                place.on.push(On { expiry, way, cfg: cfg.clone(), at });
            }
        }
    }

    fn rule(&mut self, from: Origin, rule: Rule) {
        match from {
            Origin::Start => self.model.start.push(rule),
            Origin::Place(id) => {
                if let Some(place) = self.model.places.get_mut(id) {
                    place.rules.push(rule);
                }
            }
            Origin::Join(id) => {
                if let Some(fork) = self.model.forks.get_mut(id) {
                    fork.rules.push(rule);
                }
            }
            // Its branches are no ways that are tried.
            Origin::Fork(_) => {}
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
        let (thens, from) = self.step(step, arrow);
        let froms: Vec<From> = from.into_iter().collect();
        let onward = Arrow { froms: &froms, cfg: arrow.cfg.clone(), kind: Kind::Always, first: None, in_arm: false };
        let tails = self.way(rest, last, &onward);
        for (from, then) in froms.iter().zip(tails) {
            let arrow_end = behind.spans[1];
            self.rule(
                from.origin,
                Rule { cfg: arrow.cfg.clone(), condition: None, then, hole: false, source: from.extent, arrow: arrow_end },
            );
        }
        thens
    }

    /// A place or a fork behind an arrow, and where the next arrow begins.
    fn step(&mut self, step: &Step, arrow: &Arrow<'_>) -> (Vec<Then>, Option<From>) {
        let (to, origin, extent) = match step {
            Step::Place(path) => match self.place(path, &arrow.cfg) {
                Some(id) => (To::Place(id), Origin::Place(id), path_extent(path)),
                None => return (holes(arrow), None),
            },
            Step::Fork(fork) => {
                let id = self.fork(fork, &arrow.cfg);
                (To::Fork(id), Origin::Join(id), fork.extent)
            }
            Step::Hole => return (holes(arrow), None),
        };
        let last = if matches!(to, To::Fork(_)) { extent.first } else { extent.last };
        (self.go(arrow, to, last), Some(From { origin, extent }))
    }

    /// One way for each source.
    fn go(&mut self, arrow: &Arrow<'_>, to: To, last: Span) -> Vec<Then> {
        arrow.froms.iter().map(|from| Then::Go { way: self.add(arrow, *from, to, last), budget: None }).collect()
    }

    fn add(&mut self, arrow: &Arrow<'_>, from: From, to: To, last: Span) -> WayId {
        let extent = Extent { first: arrow.first.unwrap_or(from.extent.first), last };
        self.model.ways.push(Way { from: from.origin, to, kind: arrow.kind.clone(), cfg: arrow.cfg.clone(), extent });
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
                    let from = arrow.froms.first().map_or(Origin::Start, |from| from.origin);
                    self.sink.error(word.span(), messages::plainly_never(&self.origin_text(from)));
                }
                To::Never
            }
            Target::Hole => return None,
        };
        Some((to, last))
    }

    fn choice(&mut self, choice: &Choice, arrow: &Arrow<'_>) -> Vec<Then> {
        let router = choice.router.as_ref().map(|path| self.router(path, Around::Nothing, &arrow.cfg));
        let refused = match &router {
            None if arrow.in_arm => Some(messages::choice_in_arm()),
            None if arrow.froms.iter().any(|f| f.origin == Origin::Start) => Some(messages::start_chooses()),
            None if arrow.froms.iter().any(|f| f.origin.place().is_none()) => Some(messages::join_chooses()),
            _ => None,
        };
        if let Some(message) = &refused {
            self.sink.error(choice.word.span, message);
        }
        let mounts = arrow.froms.iter().filter(|from| self.is_mount(from.origin)).count();
        let mut broken = choice.arms.broken;
        if refused.is_none() && (router.is_some() || mounts == 0) {
            broken |= self.refuse_end_labels(&choice.arms);
        }
        // Whoever thinks that a graph was left here need not be told as well that nothing was chosen.
        let refused = refused.is_some() || (router.is_none() && broken && !choice.arms.broken);
        let mut per_source: Vec<Vec<(Cfg, Then)>> = arrow.froms.iter().map(|_| Vec::new()).collect();
        for arm in &choice.arms.arms {
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
        if refused {
            return holes(arrow);
        }
        let at = choice.router.as_ref().map_or(Extent::of(choice.word.span), path_extent);
        let gate = |lowering: &mut Self, by| lowering.gate(&choice.arms, by, at, &arrow.cfg, broken, &way_last);
        let shared = router.map(|router| gate(self, By::Router(router)));
        let mut thens = Vec::new();
        for (from, arms) in arrow.froms.iter().zip(per_source) {
            let by = match (router, from.origin.place()) {
                (Some(router), _) => By::Router(router),
                (None, Some(place)) if self.is_mount(from.origin) => By::Exit(place),
                (None, Some(place)) => By::Choice(place),
                (None, None) => continue,
            };
            let gate = shared.unwrap_or_else(|| gate(self, by));
            thens.push(Then::Match(Match { by, gate, arms }));
        }
        thens
    }

    /// `end => ..` stands for an exit of a mounted graph, and for nothing else.
    fn refuse_end_labels<X>(&mut self, arms: &Arms<X>) -> bool {
        let mut found = false;
        for label in arms.arms.iter().flat_map(|arm| &arm.labels) {
            if let Label::End(word) = label {
                self.sink.error(word.span(), messages::end_is_no_label());
                found = true;
            }
        }
        found
    }

    fn gate<X>(&mut self, arms: &Arms<X>, by: By, at: Extent, cfg: &Cfg, broken: bool, last: &dyn Fn(&X) -> Option<Span>) -> GateId {
        let all = arms.arms.iter().map(|arm| {
            let last = last(&arm.to).or(arm.labels.last().map(|label| label.extent().last)).unwrap_or(arms.braces);
            // A refused `end` takes nothing: the rest of the match stands for it.
            let labels = arm.labels.iter().map(|label| match label {
                Label::End(word) if !matches!(by, By::Exit(_)) => Label::Wild(syn::Token![_](word.span())),
                label => label.clone(),
            });
            model::Arm { cfg: Cfg::new(&arm.cfgs), labels: labels.collect(), last }
        });
        let gate = model::Gate { by, cfg: cfg.clone(), at, braces: arms.braces, arms: all.collect(), broken };
        self.model.gates.push(gate);
        self.model.gates.len() - 1
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
