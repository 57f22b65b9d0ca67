//! What the facts say of a name: what it stands for, what it is called, and its policies.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::{LitStr, Path};

use super::Lowering;
use crate::diagnostics::Diagnostics;
use crate::graph::model::{Around, Cache, Cfg, Mount, Policies, Retry};
use crate::graph::syntax::{self, About, Fact, Policy, PolicyKind, last_ident, path_extent};
use crate::messages;
use crate::names::unraw;

/// What the facts say of a name.
pub(super) struct Named {
    cfg: Cfg,
    name: Ident,
    pub(super) path: Option<Path>,
    title: Option<LitStr>,
    pub(super) mount: Option<Mount>,
    policies: Policies,
    /// The functions of a mount, as long as it is not known to be one.
    enter: Option<(Ident, Path)>,
    exit: Option<(Ident, Path)>,
    writes: Option<(Ident, Vec<Ident>)>,
}

impl Named {
    fn new(name: &Ident, cfg: &Cfg) -> Self {
        Self {
            cfg: cfg.clone(),
            name: name.clone(),
            path: None,
            title: None,
            mount: None,
            policies: Policies::default(),
            enter: None,
            exit: None,
            writes: None,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn facts(&mut self, facts: &syntax::Facts) {
        let cfg = Cfg::new(&facts.cfgs);
        let name = match &facts.about {
            About::Name(name) => name,
            About::All(token) => {
                for fact in &facts.facts {
                    match fact {
                        Fact::Policy(policy) => self.policy_of_all(policy),
                        Fact::Is { .. } | Fact::Title(_) => self.sink.error(token.span, messages::not_for_all()),
                    }
                }
                return;
            }
        };
        let key = unraw(name);
        let mut named = self.named.remove(&key).unwrap_or_else(|| Named::new(name, &cfg));
        for fact in &facts.facts {
            match fact {
                Fact::Policy(policy) => self.policy(policy, &mut named),
                Fact::Is { mount, path, title } => {
                    if named.path.is_some() {
                        self.sink.error_spanned(path_extent(path), messages::fact_twice(&key));
                    } else {
                        named.path = Some(path.clone());
                        named.cfg = cfg.clone();
                        named.mount = mount.as_ref().map(|_| Mount::default());
                        let itself = last_ident(path).is_some_and(|last| path.segments.len() == 1 && unraw(last) == self.graph);
                        if let (Some(mount), true) = (&mut named.mount, itself) {
                            let mistake = syn::Error::new_spanned(path_extent(path), messages::mounts_itself(&self.graph));
                            refuse(mount, mistake, self.sink);
                        }
                    }
                    title.iter().for_each(|title| self.title(title, &mut named));
                }
                Fact::Title(title) => self.title(title, &mut named),
            }
        }
        self.named.insert(key, named);
    }

    fn title(&mut self, title: &LitStr, named: &mut Named) {
        if named.title.is_some() {
            self.sink.error(title.span(), messages::title_twice(&unraw(&named.name)));
        } else {
            named.title = Some(title.clone());
        }
    }

    fn policy_of_all(&mut self, policy: &Policy) {
        let word = policy.word.to_string();
        match policy.kind {
            PolicyKind::Retry { .. } | PolicyKind::Timeout(_) | PolicyKind::Expires(_) => {
                if !set(policy, &mut self.model.of_all) {
                    self.sink.error(policy.word.span(), messages::policy_twice(&word, "_"));
                }
            }
            PolicyKind::Hole => {}
            _ => self.sink.error(policy.word.span(), messages::policy_for_all(&word)),
        }
    }

    fn policy(&mut self, policy: &Policy, named: &mut Named) {
        let word = &policy.word;
        let once = match &policy.kind {
            PolicyKind::Enter(path) => named.enter.replace((word.clone(), path.clone())).is_none(),
            PolicyKind::Exit(path) => named.exit.replace((word.clone(), path.clone())).is_none(),
            PolicyKind::Cache { key, keep } => {
                let cache = Cache { key: self.router(key, Around::Nothing, &named.cfg), at: path_extent(key), keep: *keep };
                named.policies.cache.replace(cache).is_none()
            }
            PolicyKind::Writes(fields) => named.writes.replace((word.clone(), fields.clone())).is_none(),
            _ => set(policy, &mut named.policies),
        };
        if !once {
            self.sink.error(word.span(), messages::policy_twice(&word.to_string(), &unraw(&named.name)));
        }
    }

    /// Before any arrow is looked at: what is mounted, and how.
    pub(super) fn settle_mounts(&mut self) {
        for (key, named) in &mut self.named {
            let given = [named.enter.as_ref().map(|(word, _)| word), named.exit.as_ref().map(|(word, _)| word)];
            let mut words = given.into_iter().flatten().chain(named.writes.as_ref().map(|(word, _)| word));
            let Some(mount) = &mut named.mount else {
                if let Some(word) = words.next() {
                    self.sink.error(word.span(), messages::not_mounted(&word.to_string(), key));
                }
                continue;
            };
            match (&named.enter, &named.exit) {
                (Some((_, enter)), Some((_, exit))) => mount.mapped = Some((enter.clone(), exit.clone())),
                (Some((word, _)), None) => refuse(mount, syn::Error::new(word.span(), messages::half_mapped("enter", "exit")), self.sink),
                (None, Some((word, _))) => refuse(mount, syn::Error::new(word.span(), messages::half_mapped("exit", "enter")), self.sink),
                (None, None) => {}
            }
            mount.writes = named.writes.as_ref().map(|(_, fields)| fields.clone());
        }
    }

    /// Facts come to their places, and those that are about nothing are said.
    pub(super) fn settle_facts(&mut self) {
        for (key, named) in &self.named {
            let Some(place) = self.by_name.get(key).and_then(|id| self.model.places.get_mut(*id)) else {
                if !self.lost {
                    let known: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
                    self.sink.error(named.name.span(), messages::not_in_graph(key, &known));
                }
                continue;
            };
            if !named.cfg.is_always() && !place.presence.is_only(&named.cfg) {
                self.sink.error(named.name.span(), messages::cfg_of_fact(key));
            }
            place.title.clone_from(&named.title);
            place.policies = named.policies.clone();
        }
        self.old_names();
    }

    /// `was("old")`: a name that is gone, of one place.
    fn old_names(&mut self) {
        let mut seen: BTreeMap<String, ()> = BTreeMap::new();
        for name in self.model.places.iter().flat_map(|place| &place.policies.was) {
            let text = name.value();
            if self.by_name.contains_key(&text) {
                self.sink.error(name.span(), messages::was_still_there(&text));
            } else if seen.insert(text.clone(), ()).is_some() {
                self.sink.error(name.span(), messages::was_twice(&text));
            }
        }
    }
}

/// What is wrong with a mount is said, and once more where its type stands: rustc says the same only once, and nothing else
/// of a type that it does not know.
fn refuse(mount: &mut Mount, mistake: syn::Error, sink: &mut Diagnostics) {
    mount.mistake = Some(mistake.to_compile_error());
    sink.push(mistake);
}

/// False if it was there already.
fn set(policy: &Policy, all: &mut Policies) -> bool {
    let at = policy.word.span();
    match &policy.kind {
        PolicyKind::Retry { times, backoff, limit } => {
            all.retry.replace((at, Retry { times: *times, backoff: *backoff, limit: *limit })).is_none()
        }
        PolicyKind::Timeout(limit) => all.timeout.replace((at, *limit)).is_none(),
        PolicyKind::Expires(limit) => all.expires.replace((at, *limit)).is_none(),
        PolicyKind::Cache { .. } => true,
        PolicyKind::AtOnce(count) => all.at_once.replace((at, *count)).is_none(),
        PolicyKind::Was(name) => {
            all.was.push(name.clone());
            true
        }
        PolicyKind::Enter(_) | PolicyKind::Exit(_) | PolicyKind::Writes(_) | PolicyKind::Hole => true,
    }
}
