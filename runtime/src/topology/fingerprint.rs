//! What a checkpoint remembers of the graph that wrote it.

use super::{Origin, Target, Topology, WayKind};
use crate::digest::Hasher;

impl Topology {
    /// SHA-256 over what a paused thread depends on: names and roles of places, ways with their order, conditions and
    /// labels, and exits. The same for every build of the same graph: docs, files, lines, display names and limits are not
    /// in it, and neither is code.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = Hasher::new(b"graphwright topology v2");
        hasher.field(self.name.as_bytes());
        hasher.number(self.places.len() as u64);
        for place in self.places {
            hasher.field(place.name.as_bytes()).field(place.node.as_bytes()).field(place.role.name().as_bytes());
            hasher.number(u64::from(place.asks)).number(u64::from(place.pauses));
        }
        hasher.number(self.exits.len() as u64);
        for exit in self.exits {
            hasher.field(exit.as_bytes());
        }
        hasher.number(self.forks.len() as u64);
        for fork in self.forks {
            hasher.field(fork.kind.name().as_bytes());
            hasher.field(fork.router.unwrap_or_default().as_bytes()).field(fork.by.unwrap_or_default().as_bytes());
        }
        hasher.number(self.ways.len() as u64);
        for way in self.ways {
            let (kind, number) = match way.from {
                Origin::Start => ("start", 0),
                Origin::Place(place) => ("place", place),
                Origin::Fork(fork) => ("fork", fork),
                Origin::Join(fork) => ("join", fork),
            };
            hasher.field(kind.as_bytes()).number(u64::from(number));
            let (kind, number) = match way.to {
                Target::Place(place) => ("place", place),
                Target::Fork(fork) => ("fork", fork),
                Target::Join(fork) => ("join", fork),
                Target::End(exit) => ("end", exit),
                Target::Never => ("never", 0),
            };
            hasher.field(kind.as_bytes()).number(u64::from(number));
            match way.kind {
                WayKind::Always => hasher.field(b"always"),
                WayKind::If { router, gate } => hasher.field(b"if").field(router.as_bytes()).number(u64::from(gate)),
                WayKind::Arm { router: Some(router), label } => hasher.field(b"arm").field(router.as_bytes()).field(label.as_bytes()),
                WayKind::Arm { router: None, label } => hasher.field(b"own arm").field(label.as_bytes()),
                WayKind::Else { at_most, label } => hasher.field(b"else").number(at_most.into()).field(label.as_bytes()),
                WayKind::Branch { label } => hasher.field(b"branch").field(label.as_bytes()),
                WayKind::Error => hasher.field(b"on error"),
                WayKind::Expiry => hasher.field(b"on expiry"),
            };
        }
        hasher.finish()
    }
}
