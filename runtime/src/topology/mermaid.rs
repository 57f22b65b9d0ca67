//! The graph as a Mermaid flowchart.

use std::fmt::Write as _;

use super::{Origin, Place, Role, Target, Topology, Way, WayKind};
use crate::id::is_bidi_or_invisible;

impl Topology {
    /// The graph as a [Mermaid](https://mermaid.js.org) flowchart, for a README or a page.
    ///
    /// The shape of a place tells its role: models are stadiums, tools have double sides, what may pause is a hexagon with
    /// a `?` before its name, mounted graphs are trapezoids. Ways that lead back are dotted. Ways to `never` are not drawn.
    ///
    /// No text of the graph can leave its label: ids are generated, and all punctuation that Mermaid or HTML could read is
    /// written as an entity. Characters that change how others are shown are replaced by `U+FFFD`.
    ///
    /// ```no_run
    /// # fn draw(topology: &'static graphwright::topology::Topology) {
    /// println!("{}", topology.mermaid());
    /// // flowchart TD
    /// //     s((" "))
    /// //     n0(["react"])
    /// //     n1{{"? elicitation"}}
    /// //     e0((("end")))
    /// //     s --> n0
    /// //     n0 -->|"if ask_user_pending"| n1
    /// //     n1 -.-> n0
    /// //     n0 -->|"Finish"| e0
    /// # }
    /// ```
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut text = String::from("flowchart TD\n    s((\" \"))\n");
        for (number, place) in self.places.iter().enumerate() {
            let (open, close) = shape(place);
            let badge = if is_asking(place) { "? " } else { "" };
            let label = named(place.title.unwrap_or(place.name));
            // Writing to a text cannot fail.
            let _ = writeln!(text, "    n{number}{open}\"{badge}{label}\"{close}");
        }
        for (number, exit) in self.exits.iter().enumerate() {
            let _ = writeln!(text, "    e{number}(((\"{}\")))", named(exit));
        }
        let back = self.ways_back();
        for (number, way) in self.ways.iter().enumerate() {
            let to = match way.to {
                Target::Place(to) => format!("n{to}"),
                Target::End(exit) => format!("e{exit}"),
                Target::Fork(fork) => format!("f{fork}"),
                Target::Join(fork) => format!("j{fork}"),
                Target::Never => continue,
            };
            let from = match way.from {
                Origin::Start => "s".to_owned(),
                Origin::Place(from) => format!("n{from}"),
                Origin::Fork(fork) => format!("f{fork}"),
                Origin::Join(fork) => format!("j{fork}"),
            };
            let arrow = if back.get(number) == Some(&true) { "-.->" } else { "-->" };
            let label = match escaped(&self.label(number, way)) {
                label if label.is_empty() => label,
                label => format!("|\"{label}\"|"),
            };
            let _ = writeln!(text, "    {from} {arrow}{label} {to}");
        }
        text
    }

    /// What stands at an arrow.
    fn label(&self, number: usize, way: &Way) -> String {
        let mut label = match way.kind {
            WayKind::Always => String::new(),
            WayKind::If { router, .. } => format!("if {router}"),
            WayKind::Arm { label, .. } | WayKind::Else { label, .. } | WayKind::Branch { label } => label.to_owned(),
            WayKind::Error => "on error".to_owned(),
            WayKind::Expiry => "on expiry".to_owned(),
        };
        let budget = match (way.kind, self.ways.get(number + 1).map(|next| next.kind)) {
            (WayKind::Else { at_most, .. }, _) => format!("else, after {at_most}"),
            (_, Some(WayKind::Else { at_most, .. })) => format!("at most {at_most}"),
            _ => return label,
        };
        if !label.is_empty() {
            label.push(' ');
        }
        label.push_str(&budget);
        label
    }

    /// Whether a way leads back to a place on the path from the start to it, way by way.
    fn ways_back(&self) -> Vec<bool> {
        let mut out: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.places.len()];
        let mut back = vec![false; self.ways.len()];
        let mut roots = Vec::new();
        for (number, way) in self.ways.iter().enumerate() {
            let Target::Place(to) = way.to else { continue };
            match way.from.place().and_then(|from| out.get_mut(usize::from(from))) {
                Some(ways) => ways.push((number, to.into())),
                None => roots.push(usize::from(to)),
            }
        }
        let mut walk = Walk { seen: vec![Seen::Not; self.places.len()], path: Vec::new() };
        for root in roots.into_iter().chain(0..self.places.len()) {
            walk.enter(root);
            while let Some((place, next)) = walk.path.last_mut() {
                let (place, way) = (*place, out.get(*place).and_then(|ways| ways.get(*next)));
                *next += 1;
                match way {
                    Some((number, to)) => {
                        if walk.seen.get(*to) == Some(&Seen::OnPath)
                            && let Some(back) = back.get_mut(*number)
                        {
                            *back = true;
                        }
                        walk.enter(*to);
                    }
                    None => walk.leave(place),
                }
            }
        }
        back
    }
}

/// A walk in depth.
struct Walk {
    seen: Vec<Seen>,
    /// The places from the root to here, and which way of each is next.
    path: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    OnPath,
    Done,
}

impl Walk {
    fn enter(&mut self, place: usize) {
        if let Some(seen) = self.seen.get_mut(place)
            && *seen == Seen::Not
        {
            *seen = Seen::OnPath;
            self.path.push((place, 0));
        }
    }

    fn leave(&mut self, place: usize) {
        self.path.pop();
        if let Some(seen) = self.seen.get_mut(place) {
            *seen = Seen::Done;
        }
    }
}

fn is_asking(place: &Place) -> bool {
    place.pauses || matches!(place.role, Role::Elicitation | Role::Interrupt)
}

fn shape(place: &Place) -> (&'static str, &'static str) {
    match place.role {
        Role::Graph => ("[/", "\\]"),
        _ if is_asking(place) => ("{{", "}}"),
        Role::Model => ("([", "])"),
        Role::Tools => ("[[", "]]"),
        Role::Plain | Role::Cut | Role::Elicitation | Role::Interrupt => ("(", ")"),
    }
}

/// The label of a node; Mermaid refuses an empty one.
fn named(label: &str) -> String {
    if label.is_empty() { " ".to_owned() } else { escaped(label) }
}

/// A label in which nothing is read but letters.
///
/// Mermaid reads more than its grammar says: `1. ` at the beginning as a list, `style` and a colon before `#` as a style.
fn escaped(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            ' ' | '_' | ',' | '?' | '!' => text.push(c),
            '\n' => text.push_str("#10;"),
            // They join letters and pictures, and hide nothing.
            '\u{200c}' | '\u{200d}' => text.push(c),
            c if c.is_control() || is_bidi_or_invisible(c) => text.push(char::REPLACEMENT_CHARACTER),
            c if c.is_ascii_punctuation() => {
                let _ = write!(text, "#{};", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}
