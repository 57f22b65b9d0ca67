//! SVG within Markdown.
//!
//! A line that begins with `<svg` is a paragraph with HTML in it, not a block of HTML: what stands between its tags is read
//! as Markdown. So `<text>[react](type@nodes::react)</text>` is a link that rustdoc resolves; and everything else between
//! tags has to be written so that Markdown reads letters in it.

use std::fmt::Write as _;

/// Turns links around names into links of Markdown. In this SVG, `<` and `>` stand around tags and nowhere else.
pub(super) fn from(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len() * 5 / 4);
    let mut link = None;
    for piece in svg.split_inclusive('>') {
        let (between, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
        match link {
            Some(path) if !between.is_empty() => {
                let _ = write!(text, "[{}](type@{path})", letters(between));
            }
            _ => text.push_str(&letters(between)),
        }
        match tag.strip_prefix("<a href=\"").and_then(|tag| tag.strip_suffix("\">")) {
            Some(path) => link = Some(path),
            None if tag == "</a>" => link = None,
            None => text.push_str(tag),
        }
    }
    text
}

/// No sign of Markdown. The ampersand begins what SVG has escaped already.
fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '&' | '#' | ';') {
            let _ = write!(letters, "&#{};", u32::from(c));
        } else {
            letters.push(c);
        }
    }
    letters
}
