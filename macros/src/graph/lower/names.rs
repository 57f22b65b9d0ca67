//! Names: which place, router or exit is meant.

use proc_macro2::Ident;
use syn::Path;

use super::Lowering;
use crate::graph::model::{Around, Cfg, Exit, ExitId, Origin, Place, PlaceId, Policies, Presence, Router, RouterId};
use crate::graph::syntax::{last_ident, path_extent, path_text};
use crate::messages;
use crate::names::unraw;

impl Lowering<'_> {
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
        let mount = self.named.get(&key).and_then(|named| named.mount.clone());
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
            on: Vec::new(),
            mount,
            policies: Policies::default(),
            items: Vec::new(),
            in_branch: false,
        });
        self.by_name.insert(key, id);
        Some(id)
    }

    /// `over` is what it looks at: the state, or an item.
    pub(super) fn router(&mut self, path: &Path, over: Around, cfg: &Cfg) -> RouterId {
        let text = path_text(path);
        if let Some(id) = self.model.routers.iter().position(|r| r.over == over && path_text(&r.path) == text) {
            if let Some(router) = self.model.routers.get_mut(id) {
                router.presence.or(cfg);
            }
            return id;
        }
        self.model.routers.push(Router { path: path.clone(), presence: Presence::new(cfg), over });
        self.model.routers.len() - 1
    }

    pub(super) fn is_mount(&self, origin: Origin) -> bool {
        origin.place().and_then(|id| self.model.places.get(id)).is_some_and(|place| place.mount.is_some())
    }

    /// For a sentence.
    pub(super) fn origin_text(&self, origin: Origin) -> String {
        match origin.place().and_then(|id| self.model.places.get(id)) {
            Some(place) => unraw(&place.name),
            None if origin == Origin::Start => "start".to_owned(),
            None => "..".to_owned(),
        }
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
