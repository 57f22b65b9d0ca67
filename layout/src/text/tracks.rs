//! The gap between two rows: lines that change their column do it on a track of their own, so that no line runs over
//! another and all they do is cross.

use super::canvas::Stroke;

/// A line through a gap. It changes its column once, on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Where it comes to the track, and whether from above.
    pub(super) from: (usize, bool),
    /// Where it leaves the track, and whether upwards.
    pub(super) to: (usize, bool),
    pub(super) stroke: Stroke,
}

impl Change {
    fn ends(&self) -> [(usize, bool); 2] {
        [self.from, self.to]
    }

    fn span(&self) -> (usize, usize) {
        (self.from.0.min(self.to.0), self.from.0.max(self.to.0))
    }

    fn is_straight(&self) -> bool {
        self.from.0 == self.to.0
    }

    /// In a column that both use, the one from above turns off before the one to below begins.
    fn stands_above(&self, other: &Self) -> bool {
        self.ends().iter().any(|(x, up)| *up && other.ends().contains(&(*x, false)))
    }
}

/// Gives each change its track, counted from above; straight ones need none.
///
/// Where lines wait for each other in a circle, one of them changes its column twice.
pub(super) fn tracks(changes: &[Change]) -> Vec<(Change, usize)> {
    let mut open: Vec<Change> = changes.iter().copied().filter(|change| !change.is_straight()).collect();
    // Of lines that go left, the left one turns first; of those that go right, the right one.
    open.sort_by_key(|change| {
        let (above, below) = if change.from.1 { (change.from.0, change.to.0) } else { (change.to.0, change.from.0) };
        if below < above { (0, above, below) } else { (1, usize::MAX - above, usize::MAX - below) }
    });
    let mut placed: Vec<(Change, usize)> = Vec::new();
    while !open.is_empty() {
        let is_free = |change: &Change| !open.iter().any(|other| other != change && other.stands_above(change));
        let next = match open.iter().position(is_free) {
            Some(next) => open.remove(next),
            None => {
                let change = open.remove(0);
                let spare = spare(changes, &placed, &open);
                open.push(Change { from: (spare, true), ..change });
                Change { to: (spare, false), ..change }
            }
        };
        let above = placed.iter().filter(|(other, _)| other.stands_above(&next)).map(|(_, track)| track + 1).max().unwrap_or(0);
        let (left, right) = next.span();
        let is_taken = |track: usize| placed.iter().any(|(other, at)| *at == track && other.span().0 <= right && left <= other.span().1);
        let track = (above..).find(|track| !is_taken(*track)).unwrap_or(above);
        placed.push((next, track));
    }
    placed
}

/// A column that no line uses.
fn spare(changes: &[Change], placed: &[(Change, usize)], open: &[Change]) -> usize {
    let used = |x: usize| {
        let all = changes.iter().chain(placed.iter().map(|(change, _)| change)).chain(open);
        all.flat_map(Change::ends).any(|(column, _)| column == x)
    };
    (0..).find(|x| !used(*x)).unwrap_or(0)
}
