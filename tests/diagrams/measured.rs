//! How wide letters are taken to be, held against two other sources.

use graphwright::topology::{Place, Role, Topology};
use unicode_width::UnicodeWidthChar;

use super::agent::{agent, place};

/// The columns that a terminal's box leaves for a name.
fn columns(name: &'static str) -> usize {
    let places = vec![Place { title: Some(name), ..place("a", Role::Plain) }].leak();
    let text = Topology { places, ways: &[], ..agent() }.diagram().text();
    // The right side of the box stands as far right in each of its lines.
    let row = text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}\n{text}"));
    let edge = text.lines().find(|line| line.contains('╭')).unwrap();
    let (edge, row) = (edge.chars().count(), row.chars().count());
    name.chars().count() + edge - row
}

#[test]
fn columns_are_those_of_a_terminal() {
    let blocks = [
        0x20..0x7f,
        0xa1..0xad,
        0xae..0x378,
        0x384..0x38b,
        0x3a3..0x530,
        0x531..0x557,
        0x561..0x588,
        0x591..0x5c8,
        0x5d0..0x5eb,
        0x620..0x6d6,
        0x900..0x980,
        0xe01..0xe5c,
        0x1e00..0x2000,
        0x3041..0x3097,
        0x309b..0x3100,
        0x4e00..0x4e80,
        0xac00..0xac80,
        0x1f300..0x1f3fb,
        0x1f400..0x1f5ff,
        0x1f600..0x1f650,
        0x1f680..0x1f6d0,
        0x1f900..0x1f9c0,
    ];
    let mut held = 0;
    for c in blocks.into_iter().flatten().filter_map(char::from_u32) {
        let Some(expected) = c.width() else { continue };
        let name: &'static str = format!("a{c}a").leak();
        assert_eq!(columns(name), 2 + expected, "{c:?} U+{:04X}", u32::from(c));
        held += 1;
    }
    assert!(held > 3_000, "only {held}");
}
