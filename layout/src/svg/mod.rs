//! A picture as SVG.

mod course;
mod figure;
mod markdown;
mod node;
mod write;

pub use write::{Page, is_safe_link};

/// A number with at most one digit behind the point.
fn number(number: f64) -> String {
    let text = format!("{number:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// A text between tags or quotes. XML forbids control characters, and what changes how others are shown may not hide.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push_str("&#10;"),
            c => escaped.push(crate::measure::shown(c)),
        }
    }
    escaped
}
