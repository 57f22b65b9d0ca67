//! Names: which place, router or exit is meant, and what the facts say of it.

use proc_macro2::Ident;
use syn::{LitStr, Path};

use super::Lowering;
use crate::graph::model::{Cfg, Exit, ExitId, Place, PlaceId, Presence, Router, RouterId};
use crate::graph::syntax::{self, About, Fact, last_ident, path_extent, path_text};
use crate::messages;
use crate::names::unraw;

/// What the facts say of a name.
pub(super) struct Named {
    cfg: Cfg,
    name: Ident,
    path: Option<Path>,
    title: Option<LitStr>,
}

impl Lowering<'_> {
    pub(super) fn facts(&mut self, facts: &syntax::Facts) {
        let cfg = Cfg::new(&facts.cfgs);
        let name = match &facts.about {
            About::Name(name) => Some(name),
            About::All(_) => None,
        };
        for fact in &facts.facts {
            match (fact, name) {
                (Fact::Policy(name), _) => self.policy(name),
                (Fact::Is { mount: Some(word), path, .. }, at) => {
                    self.refused.extend(at.map(unraw));
                    let of = path_text(path);
                    self.not_yet(word.span(), "mounted graphs are", &format!("make `{of}` a node that runs it, for now"));
                }
                (Fact::Is { path, title, .. }, Some(name)) => self.name(name, &cfg, Some(path), title.as_ref()),
                (Fact::Title(title), Some(name)) => self.name(name, &cfg, None, Some(title)),
                (Fact::Is { .. } | Fact::Title(_), None) => {
                    if let About::All(token) = &facts.about {
                        self.sink.error(token.span, messages::not_for_all());
                    }
                }
            }
        }
        // A statement of policies alone is about a name, too.
        if let Some(name) = name {
            self.name(name, &cfg, None, None);
        }
    }

    fn policy(&mut self, name: &Ident) {
        let word = name.to_string();
        if messages::POLICIES.contains(&word.as_str()) {
            self.not_yet(name.span(), &format!("policies such as `{word}(..)` are"), "leave it out, and let the node do it for now");
        } else {
            self.sink.error(name.span(), messages::unknown_policy(&word));
        }
    }

    fn name(&mut self, name: &Ident, cfg: &Cfg, path: Option<&Path>, title: Option<&LitStr>) {
        let known =
            self.named.entry(unraw(name)).or_insert_with(|| Named { cfg: cfg.clone(), name: name.clone(), path: None, title: None });
        if let Some(path) = path {
            if known.path.is_some() {
                self.sink.error_spanned(path_extent(path), messages::fact_twice(&unraw(name)));
            } else {
                known.path = Some(path.clone());
                known.cfg = cfg.clone();
            }
        }
        if let Some(title) = title {
            if known.title.is_some() {
                self.sink.error(title.span(), messages::title_twice(&unraw(name)));
            } else {
                known.title = Some(title.clone());
            }
        }
    }

    /// Facts come to their places, and those that are about nothing are said.
    pub(super) fn settle_facts(&mut self) {
        for (key, named) in &self.named {
            let place = self.by_name.get(key).and_then(|id| self.model.places.get_mut(*id));
            let Some(place) = place else {
                if !self.refused.contains(key) && !self.lost {
                    let known: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
                    self.sink.error(named.name.span(), messages::not_in_graph(key, &known));
                }
                continue;
            };
            if !named.cfg.is_always() && !place.presence.is_only(&named.cfg) {
                self.sink.error(named.name.span(), messages::cfg_of_fact(key));
            }
            place.title.clone_from(&named.title);
        }
    }

    pub(super) fn place(&mut self, path: &Path, cfg: &Cfg) -> Option<PlaceId> {
        let name = last_ident(path)?;
        let key = unraw(name);
        let fact = self.named.get(&key).and_then(|n| n.path.clone());
        if let Some(&id) = self.by_name.get(&key) {
            let place = self.model.places.get_mut(id)?;
            let (written, now) = if place.named { (key.clone(), path_text(path)) } else { (path_text(&place.path), path_text(path)) };
            // A bare word is the place of that name, whichever path says where its node is.
            if written == key && now != key && !place.named {
                place.path = path.clone();
            } else if written != now && now != key {
                self.sink.error_spanned(path_extent(path), messages::one_name(&key, &written, &now));
                return None;
            }
            place.presence.or(cfg);
            return Some(id);
        }
        let named = fact.is_some();
        if named && path.segments.len() > 1 {
            self.sink.error_spanned(path_extent(path), messages::one_name(&key, &key, &path_text(path)));
        }
        let node = fact.unwrap_or_else(|| path.clone());
        let id = self.model.places.len();
        self.model.places.push(Place {
            name: name.clone(),
            path: node,
            named,
            title: None,
            mention: path_extent(path),
            presence: Presence::new(cfg),
            rules: Vec::new(),
        });
        self.by_name.insert(key, id);
        Some(id)
    }

    pub(super) fn router(&mut self, path: &Path, cfg: &Cfg) -> RouterId {
        let text = path_text(path);
        if let Some(id) = self.model.routers.iter().position(|r| path_text(&r.path) == text) {
            if let Some(router) = self.model.routers.get_mut(id) {
                router.presence.or(cfg);
            }
            return id;
        }
        self.model.routers.push(Router { path: path.clone(), presence: Presence::new(cfg) });
        self.model.routers.len() - 1
    }

    pub(super) fn exit(&mut self, word: &Ident, name: Option<&Ident>, cfg: &Cfg) -> ExitId {
        let name = name.unwrap_or(word);
        let key = unraw(name);
        if let Some(id) = self.model.exits.iter().position(|e| unraw(&e.name) == key) {
            if let Some(exit) = self.model.exits.get_mut(id) {
                exit.presence.or(cfg);
            }
            return id;
        }
        self.model.exits.push(Exit { name: name.clone(), presence: Presence::new(cfg) });
        self.model.exits.len() - 1
    }
}
