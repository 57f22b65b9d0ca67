//! What a graph tells about itself, for whoever mounts it.

use super::flow::Flow;
use super::phrase;
use super::rule::{Rule, calls_model, needs_approval};
use super::{Analysis, Text};
use crate::topology::{Facts, Topology};

pub(super) const fn of<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) -> Facts {
    let ground = analysis.ground(topology);
    let unasked = Flow::from_start(Rule::Unasked, &ground);
    let mut facts = Facts {
        exits: topology.exits,
        tools_from_start: unasked.first.is_some(),
        dry_through: unasked.exits,
        dry_out: analysis.unasked.exits,
        dry_error: false,
        unapproved_from_start: needs_approval(topology) && Flow::from_start(Rule::Unapproved, &ground).first.is_some(),
        calls_model: false,
        tools_path: Text::NEW,
        out_path: Text::NEW,
    };
    if let Some((way, end)) = unasked.first {
        facts.tools_path = phrase::way_to(Text::NEW, &ground, &unasked.path(&ground, way, end), way, false);
    }
    if let Some((way, end)) = analysis.unasked.exit {
        facts.out_path = phrase::way_to(Text::NEW, &ground, &analysis.unasked.path(&ground, way, end), way, true);
    }
    let mut place = 0;
    while place < topology.places.len() {
        let it = &topology.places[place];
        // It may fail wherever it is.
        facts.dry_error |= it.asks || it.facts.dry_error;
        facts.calls_model |= analysis.reached[place] && calls_model(it);
        place += 1;
    }
    facts
}
