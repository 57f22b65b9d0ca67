//! Rules that one graph alone decides, one function each. What roles and types decide is asked of the compiler.

use super::model::{Cfg, Fork, ForkKind, Gate, Model, Origin, Place, Rule, Then, To, Way};
use super::options::Options;
use super::syntax::Graph;
use crate::diagnostics::Diagnostics;
use crate::messages;
use crate::names::unraw;
use crate::suggest::closest;

pub(crate) fn check(graph: &Graph, model: &Model, options: &Options, sink: &mut Diagnostics) {
    let graph_name = unraw(&graph.name);
    if model.start.is_empty() && !graph.lost {
        no_start(graph, &graph_name, model, sink);
    }
    if !graph.lost {
        misspelt_ends(model, sink);
    }
    order(&model.start, model, sink, &|| messages::two_starts(&graph_name), "start");
    for place in &model.places {
        let name = unraw(&place.name);
        order(&place.rules, model, sink, &|| messages::two_ways(&name), &name);
        if !graph.lost {
            some_way_is_open(&place.rules, sink, &name);
        }
    }
    if !graph.lost {
        some_way_is_open(&model.start, sink, "start");
    }
    let behind_places = model.places.iter().flat_map(|place| &place.rules);
    let behind_joins = model.forks.iter().flat_map(|fork| &fork.rules);
    for rule in model.start.iter().chain(behind_places).chain(behind_joins) {
        arms_of(&rule.then, model, sink);
    }
    for fork in &model.forks {
        labels_of_branches(fork, model, sink);
    }
    for place in &model.places {
        expiry(place, graph.lost, sink);
        at_once(place, model, sink);
    }
    if options.deny.wildcard_label {
        wildcards(model, sink);
    }
}

/// A graph without `start`, or with `strat -> a;`.
fn no_start(graph: &Graph, name: &str, model: &Model, sink: &mut Diagnostics) {
    let misspelt = model.places.iter().find(|place| closest(&unraw(&place.name), ["start"]).is_some());
    match misspelt {
        Some(place) => sink.error_spanned(place.mention, messages::misspelt_start(name, &unraw(&place.name))),
        None => sink.error(graph.name.span(), messages::no_start(name)),
    }
}

/// `a -> edn;`: a place without a way out is a mistake anyway, and this is the likely one. Nobody means `end` by `send`.
fn misspelt_ends(model: &Model, sink: &mut Diagnostics) {
    for (id, place) in model.places.iter().enumerate() {
        let name = unraw(&place.name);
        let leads_on = model.ways.iter().any(|way| way.from == Origin::Place(id));
        let close = ["end", "never"]
            .into_iter()
            .find(|word| name != *word && name.chars().next() == word.chars().next() && closest(&name, [*word]).is_some());
        if let (Some(close), false, false) = (close, leads_on, place.named) {
            sink.error_spanned(place.mention, messages::misspelt_end(&name, close));
        }
    }
}

/// A question that expires where every arm is an answer, and a way for a question that never does.
fn expiry(place: &Place, lost: bool, sink: &mut Diagnostics) {
    let name = unraw(&place.name);
    let way = place.on.iter().find(|on| on.expiry);
    match (place.policies.expires, way) {
        (Some((at, _)), None) if place.choices().next().is_some() && !lost => sink.error(at, messages::expires_without_way(&name)),
        (None, Some(on)) if !lost => sink.error(on.at, messages::expiry_without_expires(&name)),
        _ => {}
    }
}

/// `at_once(8)` stands at the first place of a branch.
fn at_once(place: &Place, model: &Model, sink: &mut Diagnostics) {
    let Some((at, _)) = place.policies.at_once else { return };
    let begins = |way: &Way| matches!(way.to, To::Place(id) if model.places.get(id).is_some_and(|found| std::ptr::eq(found, place)));
    let branches = model.forks.iter().flat_map(|fork| &fork.branches);
    if !branches.filter_map(|branch| model.ways.get(branch.way?)).any(begins) {
        sink.error(at, messages::at_once_of_no_branch(&unraw(&place.name)));
    }
}

/// `#[graph(deny(wildcard_label))]`
fn wildcards(model: &Model, sink: &mut Diagnostics) {
    for label in model.gates.iter().filter(|gate| !gate.broken).flat_map(Gate::labels).filter(|label| label.is_wild()) {
        sink.error_spanned(label.extent(), messages::wildcard());
    }
}

/// `a -> b; a -> c;`: the second is never taken. `a -> b; a -> c if done;`: `done` is never asked. `a -> b if done; a -> c
/// if done;`: it says the same again.
fn order(rules: &[Rule], model: &Model, sink: &mut Diagnostics, twice: &dyn Fn() -> String, name: &str) {
    let mut open: Vec<&Rule> = Vec::new();
    let asked = |rule: &Rule| model.conditions.get(rule.condition?).map(|condition| condition.router);
    for (number, rule) in rules.iter().enumerate() {
        let same = |before: &&Rule| asked(before).is_some() && asked(before) == asked(rule) && before.cfg.meets(&rule.cfg);
        if rules.iter().take(number).any(|before| same(&before)) {
            sink.error_spanned(rule.lead(), messages::asked_twice(name));
            continue;
        }
        if open.iter().any(|before| before.cfg.meets(&rule.cfg)) {
            let message = if rule.condition.is_some() { messages::way_after_open(name) } else { twice() };
            sink.error_spanned(rule.lead(), message);
        } else if rule.is_open() {
            open.push(rule);
        }
    }
}

/// `a -> b if done;` and nothing else: where to, if it is not done? A place without any way is found by the compiler's pass.
fn some_way_is_open(rules: &[Rule], sink: &mut Diagnostics, name: &str) {
    let sure = rules.iter().any(|rule| rule.condition.is_none() || rule.hole || !rule.cfg.is_always());
    if let (Some(last), false) = (rules.last(), sure) {
        sink.error_spanned(last.lead(), messages::only_conditions(name));
    }
}

fn arms_of(then: &Then, model: &Model, sink: &mut Diagnostics) {
    if let Then::Match(choice) = then {
        if let Some(gate) = model.gates.get(choice.gate) {
            let leads_to = choice.arms.iter().map(|(_, then)| target_text(then, model)).collect();
            labels_once(gate, leads_to, sink);
            if !gate.broken {
                wildcard_last(gate, sink);
            }
        }
        for (_, then) in &choice.arms {
            arms_of(then, model, sink);
        }
    }
}

/// `some next { Again => a, Again => b }`
fn labels_of_branches(fork: &Fork, model: &Model, sink: &mut Diagnostics) {
    let gate = match fork.kind {
        ForkKind::Some { gate, .. } | ForkKind::Each { by: Some((_, gate)), .. } => model.gates.get(gate),
        ForkKind::All | ForkKind::Each { by: None, .. } => None,
    };
    if let Some(gate) = gate.filter(|gate| !gate.broken) {
        let to = |way: Option<usize>| way_text(way.and_then(|way| model.ways.get(way)).map(|way| way.to), model);
        labels_once(gate, fork.branches.iter().map(|branch| to(branch.way)).collect(), sink);
        wildcard_last(gate, sink);
    }
}

/// `match next { Again => a, Again => b }`
fn labels_once(gate: &Gate, leads_to: Vec<String>, sink: &mut Diagnostics) {
    let mut seen: Vec<(String, Cfg, String)> = Vec::new();
    for (arm, leads_to) in gate.arms.iter().zip(leads_to) {
        for label in &arm.labels {
            let text = label.text();
            match seen.iter().find(|(before, cfg, _)| *before == text && arm.cfg.meets(cfg)) {
                Some((_, _, to)) => sink.error_spanned(label.extent(), messages::label_twice(&text, to)),
                None => seen.push((text, arm.cfg.clone(), leads_to.clone())),
            }
        }
    }
}

/// `match next { _ => a, Again => b }`, `match next { Again | _ => a }`
fn wildcard_last(gate: &Gate, sink: &mut Diagnostics) {
    let mut wild = Vec::new();
    for arm in &gate.arms {
        if let (Some(first), true) = (arm.labels.first(), wild.iter().any(|cfg| arm.cfg.meets(cfg))) {
            if !first.is_wild() {
                sink.error_spanned(first.extent(), messages::after_wildcard());
            }
        } else if let Some(label) = arm.labels.iter().find(|label| label.is_wild()) {
            if arm.labels.len() > 1 {
                sink.error_spanned(label.extent(), messages::wildcard_among_labels());
            }
            wild.push(arm.cfg.clone());
        }
    }
}

/// Where an arm leads, for a sentence.
fn target_text(then: &Then, model: &Model) -> String {
    match then {
        Then::Go { way, .. } => way_text(model.ways.get(*way).map(|way| way.to), model),
        Then::Match(_) => "a `match`".to_owned(),
        Then::Hole => way_text(None, model),
    }
}

fn way_text(to: Option<To>, model: &Model) -> String {
    match to {
        Some(To::Place(id)) => model.places.get(id).map_or_else(String::new, |p| format!("`{}`", unraw(&p.name))),
        Some(To::End(id)) => match model.exits.get(id).map(|e| unraw(&e.name)) {
            Some(name) if name != "end" => format!("`end {name}`"),
            _ => "`end`".to_owned(),
        },
        Some(To::Never) => "`never`".to_owned(),
        Some(To::Fork(_)) => "a fork".to_owned(),
        Some(To::Join(_)) => "the join".to_owned(),
        None => "somewhere".to_owned(),
    }
}
