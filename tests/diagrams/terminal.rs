//! Text for a terminal.

use super::{graphs, mermaid};

#[test]
fn an_agent() {
    let expected = r"
                 ●
                 │
                 ▼
            ╭─────────╮
            │  react  │
            ╰─────────╯
             ▲ ▲   ║ │
    ╭╌╌╌╌╌╌╌╌╯ ╎   ║ ╰────────────────╮
    ╎      ╭╌╌╌╯   ╚═══╗              │
    ╎      ╎  if ask_user_pending     │
    ╎      ╰╌╌╌╮   ╔═══╝              │
    ╎          ╎   ▼                  ▼
    ╎   ╭─────────────────╮      ╱─────────╲
    ╎   │  ? elicitation  │      ⟨  next   ⟩
    ╎   ╰─────────────────╯      ╲─────────╱
    ╎                      ╭───────╯     ╰───────╮
    ╎                    Tools                Finish
    ╎                      ▼                     │
    ╎                   ━━━━━━━ each open_calls  │
    ╎                      │                     │
    ╎                      ▼                     │
    ╎              ╭───────────────╮╮            │
    ╎              │  ? tool_call  ││            │
    ╎              ╰───────────────╯╯            │
    ╎                      │                     │
at most 8                  │                     │
    ╰╌╮                    │                     │
      ╎                    ▼                     │
      ━━━━━━━━━━━━━━━━━━━━━━━━                   │
         │                                       │
   else, after 8                                 │
         ▼                                       │
   ╭───────────╮                                 │
   │  give_up  │                                 │
   ╰───────────╯                                 │
         │                                       │
         ╰─────────╮ ╭───────────────────────────╯
                   ▼ ▼
                   ─◉─
";
    assert_eq!(graphs::support().diagram().text(), expected[1..], "\n{}", graphs::support().diagram().text());
}

#[test]
fn an_agent_in_ascii_with_its_mounted_graph() {
    let expected = r"
                       *
                       |
                       v
                   +-------+
                   | plan  |
                   +-------+
                    |     ^
            .-------'     '.........
            v                      :
  +---------*- research --------+  :
  |         |                   |  :
  |         v                   |  :
  |    +---------+              |  :
  |    | search  |              |  :
  |    +---------+              |  :
  |        | ^                  |  :
  |      .-' '.                 |  :
  |      |  Again               |  :
  |      '-. .'                 |  :
  |        v :                  |  :
  |   /-----------\             |  :
  |   <   judge   >             |  :
  |   \-----------/             |  :
  |    .--'  '--.               |  :
  | Enough   Nothing            |  :
  |    v        v               |  :
  +----@--------@ nothing_found-+  :
     .-'        :  .~~~~~~~~~~~'   :
     |          '..+...............'
    end        on error
     v             v
+---------+   +---------+
|  write  |   | report  |
+---------+   +---------+
     |             |
     v             v
     @             @ failed
";
    assert_eq!(graphs::research().diagram().depth(1).ascii(), expected[1..], "\n{}", graphs::research().diagram().depth(1).ascii());
}

/// The arrows are followed back from their heads, line by line: each comes from the box that it should.
#[test]
fn every_arrow_can_be_followed() {
    let mut followed = 0;
    for (name, topology) in graphs::all().into_iter().filter(|(name, _)| !["hostile", "long names"].contains(&name.as_str())) {
        let text = topology.diagram().text();
        let screen = Screen::of(&text);
        let mut found: Vec<(String, String)> = screen.heads().into_iter().map(|head| screen.follow(head)).collect();
        found.sort();
        let (nodes, edges) = mermaid::read(&topology.mermaid());
        let called = |id: &str| {
            let node = nodes.iter().find(|node| node.0 == id).unwrap();
            match (node.1, node.2.as_str()) {
                ("(())", _) => "●".to_owned(),
                ("((()))", _) => "◉".to_owned(),
                ("[//]", _) => "━".to_owned(),
                (_, label) => label.replace([' ', '_'], ""),
            }
        };
        let drawn = edges.iter().filter(|edge| edge.from != edge.to);
        let mut expected: Vec<(String, String)> = drawn.map(|edge| (called(&edge.from), called(&edge.to))).collect();
        expected.sort();
        assert_eq!(found, expected, "{name}\n{text}");
        followed += found.len();
    }
    assert!(followed > 1_000, "only {followed}");
}

#[test]
fn a_line_that_turns_the_wrong_way_is_found() {
    let text = graphs::support().diagram().text();
    let arrows = |text: &str| {
        let screen = Screen::of(text);
        std::panic::catch_unwind(|| screen.heads().into_iter().map(|head| screen.follow(head)).collect::<Vec<_>>()).ok()
    };
    let right = arrows(&text).unwrap();
    for (from, to) in [("╰╌╮", "╎╌╮"), ("╚═══╗", "╚════"), ("╯     ╰", "╯     │"), ("▼ ▼", "▼  ")]
    {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        assert_ne!(arrows(&wrong), Some(right.clone()), "{from}");
    }
}

struct Screen(Vec<Vec<char>>);

impl Screen {
    fn of(text: &str) -> Self {
        Self(text.lines().map(|line| line.chars().collect()).collect())
    }

    fn at(&self, x: usize, y: usize) -> char {
        self.0.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ')
    }

    fn heads(&self) -> Vec<(usize, usize)> {
        let all = self.0.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y)));
        all.filter(|(x, y)| "▼▲".contains(self.at(*x, *y))).collect()
    }

    /// From a head back to the box where its arrow begins: the names of both.
    fn follow(&self, (x, y): (usize, usize)) -> (String, String) {
        let down = self.at(x, y) == '▼';
        let to = self.name(x, if down { y + 1 } else { y - 1 });
        let (mut x, mut y) = (x, y);
        // Towards where it is followed: left, right, up, down.
        let mut towards = if down { (0, -1) } else { (0, 1) };
        let mut steps = 0;
        loop {
            (x, y) = (x.checked_add_signed(towards.0).unwrap(), y.checked_add_signed(towards.1).unwrap());
            steps += 1;
            assert!(steps < 10_000, "in circles");
            let vertical = towards.0 == 0;
            towards = match (self.at(x, y), towards) {
                ('│' | '║' | '╎' | '┊', _) if vertical => towards,
                ('─' | '═' | '╌' | '┈', _) if !vertical => towards,
                ('┼', _) => towards,
                ('╭' | '╔', (0, _)) => (1, 0),
                ('╭' | '╔', _) => (0, 1),
                ('╮' | '╗', (0, _)) => (-1, 0),
                ('╮' | '╗', _) => (0, 1),
                ('╰' | '╚', (0, _)) => (1, 0),
                ('╰' | '╚', _) => (0, -1),
                ('╯' | '╝', (0, _)) => (-1, 0),
                ('╯' | '╝', _) => (0, -1),
                // The side of a box, a bar, or the start.
                ('─' | '━' | '●' | '◉', _) if vertical => return (self.name(x, y), to),
                // Through a label.
                (_, _) if vertical => towards,
                (other, _) => panic!("{other:?} at {x} {y}"),
            };
        }
    }

    /// What stands in the box with this piece of its edge.
    fn name(&self, x: usize, y: usize) -> String {
        if self.at(x, y) == '━' || self.at(x, y) == '●' {
            return self.at(x, y).to_string();
        }
        let row = |y: usize| -> (usize, usize) {
            let is_edge = |x: &usize| "─◉".contains(self.at(*x, y));
            let left = (0..=x).rev().take_while(is_edge).last().unwrap();
            (left, (x..).take_while(is_edge).last().unwrap())
        };
        let (left, right) = row(y);
        if (left..=right).any(|x| self.at(x, y) == '◉') {
            return "◉".to_owned();
        }
        let inside = |y: usize| -> String { (left..=right).map(|x| self.at(x, y)).filter(|c| !c.is_whitespace() && *c != '_').collect() };
        let rows: Vec<usize> = if "╭╱".contains(self.at(left - 1, y)) {
            (y + 1..).take_while(|y| !"╰╲".contains(self.at(left - 1, *y))).collect()
        } else {
            (0..y).rev().take_while(|y| !"╭╱".contains(self.at(left - 1, *y))).collect()
        };
        let mut rows = rows;
        rows.sort_unstable();
        rows.into_iter().map(inside).collect()
    }
}

#[test]
fn ascii_has_ascii_lines() {
    for (name, topology) in graphs::all().into_iter().filter(|(name, _)| !["hostile", "long names"].contains(&name.as_str())) {
        let text = topology.diagram().depth(2).ascii();
        assert!(text.is_ascii(), "{name}\n{text}");
    }
}

#[test]
fn no_line_ends_in_a_space_or_hides_a_sign() {
    for (name, topology) in graphs::all() {
        for text in [topology.diagram().depth(2).text(), topology.diagram().depth(2).ascii()] {
            assert!(text.lines().all(|line| line.trim_end() == line), "{name}\n{text}");
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{name}\n{text}");
        }
    }
}

/// Letters and digits, without the lines between them.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"│─╭╮╰╯┼├┤║═╔╗╚╝╎╌┊┈●◉━▼▲╱╲⟨⟩".contains(*c)).collect()
}
