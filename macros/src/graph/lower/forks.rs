//! Forks: their branches, where each begins, and that each ends at the join.

use proc_macro2::Span;

use super::{Arrow, From, Lowering};
use crate::graph::model::{self, Around, By, Cfg, ForkId, ForkKind, GateId, Kind, Origin, Rule, Then, To, labels_text};
use crate::graph::syntax::{self, Arms, Branch, Extent, Fork, Step, path_extent};

/// The last step of a branch, which goes to the join by itself unless it has ways of its own.
pub(super) struct End {
    fork: ForkId,
    origin: Origin,
    extent: Extent,
    cfg: Cfg,
}

impl Lowering<'_> {
    pub(super) fn fork(&mut self, fork: &Fork, cfg: &Cfg) -> ForkId {
        let id = self.model.forks.len();
        self.model.forks.push(model::Fork {
            kind: ForkKind::All,
            cfg: cfg.clone(),
            extent: fork.extent,
            branches: Vec::new(),
            rules: Vec::new(),
        });
        let kind = match &fork.kind {
            syntax::ForkKind::All(branches) => {
                for branch in branches {
                    self.branch(id, branch, &cfg.and(&branch.cfgs), &branch.cfgs, None, fork.extent);
                }
                Some(ForkKind::All)
            }
            syntax::ForkKind::Some { router, arms } => {
                let router = router.as_ref().map(|path| (self.router(path, Around::Nothing, cfg), path_extent(path)));
                self.branches_by(id, arms, cfg);
                let broken = arms.broken | self.refuse_end_labels(arms);
                router.map(|(router, at)| ForkKind::Some { router, gate: self.arms_gate(arms, By::Some(router), at, cfg, broken) })
            }
            syntax::ForkKind::Each { router, branch } => {
                let router = router.as_ref().map(|path| self.router(path, Around::Nothing, cfg));
                self.branch(id, branch, cfg, &[], None, fork.extent);
                router.map(|router| ForkKind::Each { router, by: None })
            }
            syntax::ForkKind::EachMatch { router, by, arms } => {
                let router = router.as_ref().map(|path| self.router(path, Around::Nothing, cfg));
                let by = by.as_ref().map(|path| (self.router(path, Around::Each(id), cfg), path_extent(path)));
                self.branches_by(id, arms, cfg);
                let broken = arms.broken | self.refuse_end_labels(arms);
                let by = by.map(|(by, at)| (by, self.arms_gate(arms, By::Router(by), at, cfg, broken)));
                router.zip(by).map(|(router, by)| ForkKind::Each { router, by: Some(by) })
            }
        };
        if let (Some(kind), Some(fork)) = (kind, self.model.forks.get_mut(id)) {
            fork.kind = kind;
        }
        id
    }

    fn arms_gate(&mut self, arms: &Arms<Branch>, by: By, at: Extent, cfg: &Cfg, broken: bool) -> GateId {
        self.gate(arms, by, at, cfg, broken, &branch_last)
    }

    /// One branch for each arm.
    fn branches_by(&mut self, fork: ForkId, arms: &Arms<Branch>, cfg: &Cfg) {
        for arm in &arms.arms {
            let first = arm.labels.first().map(|label| label.extent().first);
            let label = (labels_text(&arm.labels), first);
            self.branch(fork, &arm.to, &cfg.and(&arm.cfgs), &arm.cfgs, Some(label), Extent::of(arms.braces));
        }
    }

    fn branch(
        &mut self,
        fork: ForkId,
        branch: &Branch,
        cfg: &Cfg,
        own: &[proc_macro2::TokenStream],
        label: Option<(String, Option<Span>)>,
        at: Extent,
    ) {
        let (label, first) = label.unwrap_or_default();
        let mut froms = vec![From { origin: Origin::Fork(fork), extent: at }];
        let mut way = None;
        for (number, step) in branch.steps.iter().enumerate() {
            let kind = if number == 0 { Kind::Branch { label: label.clone() } } else { Kind::Always };
            // A branch without a label begins where its first step stands.
            let first = if number == 0 { first.or_else(|| Some(step_extent(step)?.first)) } else { None };
            let arrow = Arrow { froms: &froms, cfg: cfg.clone(), kind, first, in_arm: false };
            let (thens, next) = self.step(step, &arrow);
            let then = thens.into_iter().next().unwrap_or(Then::Hole);
            if number == 0 {
                way = match &then {
                    Then::Go { way, .. } => Some(*way),
                    Then::Match(_) | Then::Hole => None,
                };
            } else if let Some(from) = froms.first().copied() {
                let rule = Rule { cfg: cfg.clone(), condition: None, then, hole: false, source: from.extent, arrow: from.extent.last };
                self.rule(from.origin, rule);
            }
            froms = next.into_iter().collect();
        }
        if let Some(From { origin, extent }) = froms.first().copied() {
            self.ends.push(End { fork, origin, extent, cfg: cfg.clone() });
        }
        if let Some(fork) = self.model.forks.get_mut(fork) {
            fork.branches.push(model::Branch { cfg: Cfg::new(own), way });
        }
    }

    /// Once every statement was read: the branches that have no way of their own at their end go to the join.
    pub(super) fn settle_ends(&mut self) {
        let ends = std::mem::take(&mut self.ends);
        let has_ways: Vec<bool> = ends.iter().map(|end| self.has_ways(end.origin)).collect();
        for (end, has_ways) in ends.iter().zip(has_ways) {
            if has_ways {
                continue;
            }
            let from = From { origin: end.origin, extent: end.extent };
            let arrow = Arrow { froms: &[from], cfg: end.cfg.clone(), kind: Kind::Always, first: None, in_arm: false };
            let Some(then) = self.go(&arrow, To::Join(end.fork), end.extent.last).into_iter().next() else { continue };
            // A place at the end of branches of several forks has a way to each join, and goes to the one that it is in.
            if !self.has_ways(end.origin) {
                let rule = Rule { cfg: Cfg::default(), condition: None, then, hole: false, source: end.extent, arrow: end.extent.last };
                self.rule(end.origin, rule);
            }
        }
    }

    fn has_ways(&self, origin: Origin) -> bool {
        match origin {
            Origin::Place(id) => self.model.places.get(id).is_some_and(|place| !place.rules.is_empty()),
            Origin::Join(id) => self.model.forks.get(id).is_some_and(|fork| !fork.rules.is_empty()),
            Origin::Start | Origin::Fork(_) => false,
        }
    }
}

fn step_extent(step: &Step) -> Option<Extent> {
    match step {
        Step::Place(path) => Some(path_extent(path)),
        Step::Fork(fork) => Some(fork.extent),
        Step::Hole => None,
    }
}

/// The last token of a branch.
fn branch_last(branch: &Branch) -> Option<Span> {
    branch.steps.last().and_then(step_extent).map(|extent| extent.last)
}
