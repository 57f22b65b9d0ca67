//! Which arrows lead back.

use crate::list::List;
use crate::plan::Arrow;

/// For each arrow whether it leads back to a box on the path from the first box to it; without those there is no circle.
pub(crate) fn arrows_back(boxes: usize, arrows: &[Arrow]) -> List<bool> {
    let mut out: List<Vec<usize>> = List::of(boxes, Vec::new());
    for (number, arrow) in arrows.iter().enumerate().filter(|(_, arrow)| arrow.from != arrow.to) {
        out[arrow.from].push(number);
    }
    let mut back = List::of(arrows.len(), false);
    let mut seen = List::of(boxes, Seen::Not);
    for root in 0..boxes {
        if seen[root] != Seen::Not {
            continue;
        }
        seen[root] = Seen::OnPath;
        let mut path = vec![(root, 0)];
        while let Some((place, next)) = path.last_mut() {
            let Some(number) = out[*place].get(*next).copied() else {
                seen[*place] = Seen::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let Some(arrow) = arrows.get(number) else { continue };
            match seen[arrow.to] {
                Seen::OnPath => back[number] = true,
                Seen::Not => {
                    seen[arrow.to] = Seen::OnPath;
                    path.push((arrow.to, 0));
                }
                Seen::Done => {}
            }
        }
    }
    back
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seen {
    #[default]
    Not,
    OnPath,
    Done,
}
