//! What the compiler says of branches.

use super::flood::Flood;
use super::levels::{Lead, OUTSIDE, joins};
use super::phrase::{self, Said};
use super::trail::{Trail, in_branch, to_astray, trail};
use super::ways::{NONE, fork_of, tail};
use super::{Analysis, Fault};
use crate::topology::{Target, Topology};

/// What to write behind a place or a fork that leads nowhere.
pub(super) const fn lead_on(text: Said, topology: &Topology, node: usize, level: usize) -> Said {
    let join = joins(topology, level);
    if fork_of(topology, node) != NONE {
        text.push("say where it goes on when its branches are done")
    } else if let Some(join) = join {
        let text = text.push("write ").arrow(topology.places[node].name, topology.places[join as usize].name);
        text.push(" if it is the last step of its branch, or say where it goes on")
    } else if level == OUTSIDE {
        text.push("write ").arrow(topology.places[node].name, "end").push(" if it is the last step, or say where it goes on")
    } else {
        text.push("say where it goes on; or ").push(MEET)
    }
}

/// What to write so that a ring is left.
pub(super) const fn leave_ring(text: Said, topology: &Topology, node: usize, level: usize) -> Said {
    let out = match joins(topology, level) {
        Some(join) => topology.places[join as usize].name,
        None if level == OUTSIDE => "end",
        None => return text.push("write a condition that leaves it: ").push(MEET),
    };
    let text = phrase::node(text.push("write a condition that leaves it, such as `"), topology, node);
    text.push(" -> ").push(out).push(" if done;`")
}

/// Of a fork whose join leads on to an exit, a `match` or a fork, so that there is no name to lead to.
const MEET: &str = "let the fork lead to a place where its branches meet, and lead there";

/// A way that leaves its branch, and not for the join.
pub(super) const fn astray<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, way: usize) -> Said {
    let fault = analysis.faults[way];
    let level = analysis.level_of_way[way];
    let back = matches!(fault, Fault::OwnFork);
    let (ways, levels) = (&analysis.ways, &analysis.levels);
    let before = tail(topology, way);

    // To the way, and on from it to what cannot be.
    let mut flood = Flood::<N>::NEW;
    let mut last = way;
    if let Lead::To(to) = levels.lead(topology, level, way) {
        flood.come_to(to, NONE);
        last = to_astray(topology, ways, levels, level, back, &mut flood);
    }
    if last == NONE {
        return Said::NEW;
    }
    let text = if before == NONE {
        let text = Said::NEW.push("the branch of ").quote_fork(topology, level).push(" that begins with ");
        text.quote_target(topology, way).push(if back { " leads back to " } else { " leads to " }).quote_target(topology, last)
    } else if back {
        let text = Said::NEW.quote_node(topology, before).push(" leads back to ").quote_target(topology, last);
        text.push(" from inside of one of its branches")
    } else {
        let text = Said::NEW.quote_node(topology, before).push(" leaves its branch of ").quote_fork(topology, level);
        text.push(" for ").quote_target(topology, way)
    };
    let mut text = text.code(fault).path();
    if before != NONE {
        text = phrase::stations(text, topology, trail(topology, ways, levels, level, before).nodes(), false).push(" -> ");
    }
    if last != way {
        text = phrase::stations(text, topology, Trail::of(topology, &flood, tail(topology, last)).nodes(), false).push(" -> ");
    }
    let text = phrase::target(text, topology, last).help();
    if before == NONE {
        return second_name(text, topology, way);
    }
    match joins(topology, level) {
        Some(join) => {
            let text = phrase::node(text.push("lead to where the branches meet: `"), topology, before);
            let text = text.push(" -> ").push(topology.places[join as usize].name).push(";`");
            if back { text.push(", and from there back") } else { text }
        }
        None if last == way && !back => text.push("leave it out, since what ends a branch goes to its join by itself; or ").push(MEET),
        None => text.push(MEET),
    }
}

/// The place at which a branch begins stands outside of it as well.
const fn second_name(text: Said, topology: &Topology, way: usize) -> Said {
    match topology.ways[way].to {
        Target::Place(to) => {
            let text = text.push("it stands outside of the branch as well: give its function a second place there, ");
            text.again(topology, to as usize)
        }
        _ => text.push("let every way out of the branch lead to where its branches meet"),
    }
}

/// A way to what ends a branch, from elsewhere.
pub(super) const fn no_way_here<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, way: usize) -> Said {
    let level = analysis.level_of_way[way];
    let Lead::To(node) = analysis.levels.lead(topology, level, way) else { return Said::NEW };
    let text = Said::NEW.quote_node(topology, node).push(" ends a branch");
    let text = match its_fork(analysis, topology, node) {
        NONE => text,
        fork => text.push(" of ").quote_fork(topology, fork),
    };
    let text = text.push(", and has no way on ");
    let text = if level == OUTSIDE { text.push("outside of it") } else { text.push("in one of ").quote_fork(topology, level) };
    let trail = trail(topology, &analysis.ways, &analysis.levels, level, node);
    let text = phrase::stations(text.code(Fault::NoWayHere).path(), topology, trail.nodes(), false).help();
    if fork_of(topology, node) != NONE {
        return text.push("let it be a branch's end here as well, or lead somewhere else");
    }
    text.push("give its function a second place for it, ").again(topology, node)
}

/// The fork whose branch ends at a node.
const fn its_fork<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, node: usize) -> usize {
    let mut way = analysis.ways.first[node];
    while way != NONE {
        if let Target::Join(fork) = topology.ways[way].to {
            return fork as usize;
        }
        way = analysis.ways.next[way];
    }
    NONE
}

/// A place in two branches.
pub(super) const fn shared<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, place: usize) -> Said {
    let fork = analysis.level_of_node[place];
    let (first, second) = analysis.branches_of_node[place];
    let text = Said::NEW.quote_node(topology, place).push(" stands in two branches of ").quote_fork(topology, fork);
    let text = text.push(", that of ").quote_target(topology, first).push(" and that of ").quote_target(topology, second);
    let text = in_branch(text.code(Fault::SharedPlace).path(), analysis, topology, (fork, first), place).push(", ");
    let text = in_branch(text, analysis, topology, (fork, second), place).help();
    let text = match joins(topology, fork) {
        Some(join) => text.push("let both lead to ").quote(topology.places[join as usize].name).push(", where the branches meet; or "),
        None => text,
    };
    text.push("give its function a second place for one of them, ").again(topology, place)
}
