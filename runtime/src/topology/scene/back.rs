//! Which arrows are loops.

use super::Scene;

/// Marks each arrow that leads back to a spot on the path from the start to it.
pub(super) fn mark(scene: &mut Scene<'_>) {
    let mut out: Vec<Vec<(usize, usize)>> = vec![Vec::new(); scene.spots.len()];
    for (number, lane) in scene.lanes.iter().enumerate() {
        if let Some(out) = out.get_mut(lane.from) {
            out.push((number, lane.to));
        }
    }
    let mut walk = Walk { seen: vec![Seen::Not; scene.spots.len()], path: Vec::new() };
    for root in 0..scene.spots.len() {
        walk.enter(root);
        while let Some((spot, next)) = walk.path.last_mut() {
            let (spot, lane) = (*spot, out.get(*spot).and_then(|lanes| lanes.get(*next)));
            *next += 1;
            match lane {
                Some((number, to)) => {
                    if walk.seen.get(*to) == Some(&Seen::OnPath)
                        && let Some(lane) = scene.lanes.get_mut(*number)
                    {
                        lane.back = true;
                    }
                    walk.enter(*to);
                }
                None => walk.leave(spot),
            }
        }
    }
}

/// A walk in depth.
struct Walk {
    seen: Vec<Seen>,
    /// The spots from the root to here, and which arrow of each is next.
    path: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    OnPath,
    Done,
}

impl Walk {
    fn enter(&mut self, spot: usize) {
        if let Some(seen) = self.seen.get_mut(spot)
            && *seen == Seen::Not
        {
            *seen = Seen::OnPath;
            self.path.push((spot, 0));
        }
    }

    fn leave(&mut self, spot: usize) {
        self.path.pop();
        if let Some(seen) = self.seen.get_mut(spot) {
            *seen = Seen::Done;
        }
    }
}
