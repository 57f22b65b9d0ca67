//! The face that the editor sees: every path of the user once, and nothing of ours at its place.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Path;

use super::Parts;
use super::aim;
use super::model::Cfg;
use super::syntax::{self, Branch, Condition, Fact, Fork, ForkKind, Last, Source, Statement, Step, Target};
use crate::names::unraw;

/// Every mention as a type, so that it is found, renamed and completed.
pub(crate) fn mentions(parts: &Parts<'_>) -> TokenStream {
    let mut paths = Paths { named: named(parts), under: Cfg::default(), found: Vec::new() };
    parts.graph.statements.iter().for_each(|statement| paths.statement(statement));
    paths.under = Cfg::default();
    parts.graph.begun.iter().for_each(|path| paths.place(path));
    let paths = paths.found.iter().map(|(cfg, path)| quote!(#cfg const _: ::core::option::Option<#path> = ::core::option::Option::None;));
    let options = parts.options;
    let head = [Some(&parts.graph.state), Some(&parts.graph.deps)];
    let named = [options.input.as_ref(), options.output.as_ref(), options.settings.as_ref()];
    let types = head.into_iter().chain(named).flatten().filter(|_| !parts.is_generic());
    let types = types.map(|ty| quote!(const _: ::core::option::Option<#ty> = ::core::option::Option::None;));
    quote!(#(#types)* #(#paths)*)
}

/// Every label as a pattern, of what is matched on.
pub(crate) fn labels(parts: &Parts<'_>) -> TokenStream {
    let (head, bounds) = parts.head(None);
    let labels = parts.model.gates.iter().enumerate().map(|(id, gate)| {
        let (cfg, name) = (&gate.cfg, aim::gate(id));
        let arms = gate.arms.iter().map(|arm| {
            let (cfg, patterns) = (&arm.cfg, arm.labels.iter().map(|label| aim::pattern(label, &name, Span::mixed_site())));
            quote!(#cfg #(#patterns)|* => {})
        });
        quote!(#cfg const _: () = { fn __labels #head (__arm: #name) #bounds { match __arm { #(#arms)* _ => {} } } };)
    });
    quote!(#(#labels)*)
}

/// The same tokens, at no place of the user.
pub(crate) fn without_places(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| {
            let mut tree = match tree {
                TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), without_places(group.stream()))),
                other => other,
            };
            tree.set_span(Span::mixed_site());
            tree
        })
        .collect()
}

/// Names of this graph that are no paths: a fact says what they stand for, or a longer path does elsewhere.
fn named(parts: &Parts<'_>) -> Vec<String> {
    let named = parts.model.places.iter().filter(|place| place.named || place.path.segments.len() > 1);
    named.map(|place| unraw(&place.name)).collect()
}

/// Collects every path that stands for a node or a router.
struct Paths<'a> {
    named: Vec<String>,
    /// What the statement or arm stands under.
    under: Cfg,
    found: Vec<(Cfg, &'a Path)>,
}

impl<'a> Paths<'a> {
    fn path(&mut self, path: &'a Path) {
        self.found.push((self.under.clone(), path));
    }

    fn place(&mut self, path: &'a Path) {
        let name = path.get_ident().map(unraw);
        if !name.is_some_and(|name| self.named.contains(&name)) {
            self.path(path);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Ways(ways) => {
                self.under = Cfg::new(&ways.cfgs);
                for source in &ways.sources {
                    if let Source::Place(path) = source {
                        self.place(path);
                    }
                }
                self.way(&ways.way);
                if let Some(Condition::If(router)) = &ways.condition {
                    self.path(router);
                }
            }
            Statement::Facts(facts) => {
                self.under = Cfg::new(&facts.cfgs);
                for fact in &facts.facts {
                    match fact {
                        Fact::Is { path, .. } => self.path(path),
                        Fact::Title(_) | Fact::Policy(_) => {}
                    }
                }
            }
        }
    }

    fn way(&mut self, way: &'a syntax::Way) {
        way.steps.iter().for_each(|(step, _)| self.step(step));
        match &way.last {
            Last::Goal(goal) => {
                for target in std::iter::once(&goal.target).chain(goal.budget.as_ref().map(|budget| &budget.target)) {
                    if let Target::Place(path) = target {
                        self.place(path);
                    }
                }
            }
            Last::Choice(choice) => {
                choice.router.iter().for_each(|router| self.path(router));
                for arm in &choice.arms.arms {
                    let within = self.under.and(&arm.cfgs);
                    let outside = std::mem::replace(&mut self.under, within);
                    self.way(&arm.to);
                    self.under = outside;
                }
            }
        }
    }

    fn step(&mut self, step: &'a Step) {
        match step {
            Step::Place(path) => self.place(path),
            Step::Fork(fork) => self.fork(fork),
            Step::Hole => {}
        }
    }

    fn fork(&mut self, fork: &'a Fork) {
        let branches: Vec<&'a Branch> = match &fork.kind {
            ForkKind::All(branches) => branches.iter().collect(),
            ForkKind::Some { router, arms } => {
                router.iter().for_each(|router| self.path(router));
                arms.arms.iter().map(|arm| &arm.to).collect()
            }
            ForkKind::Each { router, branch } => {
                router.iter().for_each(|router| self.path(router));
                vec![branch]
            }
            ForkKind::EachMatch { router, by, arms } => {
                router.iter().chain(by).for_each(|router| self.path(router));
                arms.arms.iter().map(|arm| &arm.to).collect()
            }
        };
        for branch in branches {
            let within = self.under.and(&branch.cfgs);
            let outside = std::mem::replace(&mut self.under, within);
            branch.steps.iter().for_each(|step| self.step(step));
            self.under = outside;
        }
    }
}
