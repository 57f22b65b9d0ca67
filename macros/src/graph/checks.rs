//! Rules that one graph alone decides, one function each. What roles and types decide is asked of the compiler.

use super::model::{Cfg, Gate, Match, Model, Rule, Then, To};
use super::syntax::Graph;
use crate::diagnostics::Diagnostics;
use crate::messages;
use crate::names::unraw;

pub(crate) fn check(graph: &Graph, model: &Model, sink: &mut Diagnostics) {
    let graph_name = unraw(&graph.name);
    if model.start.is_empty() && !graph.lost {
        sink.error(graph.name.span(), messages::no_start(&graph_name));
    }
    order(&model.start, sink, &|| messages::two_starts(&graph_name), "start");
    for place in &model.places {
        let name = unraw(&place.name);
        order(&place.rules, sink, &|| messages::two_ways(&name), &name);
        if !graph.lost {
            some_way_is_open(&place.rules, sink, &name);
        }
    }
    if !graph.lost {
        some_way_is_open(&model.start, sink, "start");
    }
    for rule in model.start.iter().chain(model.places.iter().flat_map(|p| &p.rules)) {
        arms_of(&rule.then, model, sink);
    }
}

/// `a -> b; a -> c;`: the second is never taken. `a -> b; a -> c if done;`: `done` is never asked.
fn order(rules: &[Rule], sink: &mut Diagnostics, twice: &dyn Fn() -> String, name: &str) {
    let mut open: Vec<&Rule> = Vec::new();
    for rule in rules {
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
            labels_once(gate, choice, model, sink);
            wildcard_last(gate, sink);
        }
        for (_, then) in &choice.arms {
            arms_of(then, model, sink);
        }
    }
}

/// `match next { Again => a, Again => b }`
fn labels_once(gate: &Gate, choice: &Match, model: &Model, sink: &mut Diagnostics) {
    let mut seen: Vec<(String, Cfg, String)> = Vec::new();
    for (arm, (_, then)) in gate.arms.iter().zip(&choice.arms) {
        for label in &arm.labels {
            let text = label.text();
            match seen.iter().find(|(before, cfg, _)| *before == text && arm.cfg.meets(cfg)) {
                Some((_, _, to)) => sink.error_spanned(label.extent(), messages::label_twice(&text, to)),
                None => seen.push((text, arm.cfg.clone(), target_text(then, model))),
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
    let to = match then {
        Then::Go { way, .. } => model.ways.get(*way).map(|way| way.to),
        Then::Match(_) => return "a `match`".to_owned(),
        Then::Hole => None,
    };
    match to {
        Some(To::Place(id)) => model.places.get(id).map_or_else(String::new, |p| format!("`{}`", unraw(&p.name))),
        Some(To::End(id)) => match model.exits.get(id).map(|e| unraw(&e.name)) {
            Some(name) if name != "end" => format!("`end {name}`"),
            _ => "`end`".to_owned(),
        },
        Some(To::Never) => "`never`".to_owned(),
        None => "somewhere".to_owned(),
    }
}
