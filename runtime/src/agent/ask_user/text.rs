//! What a person is shown, and what is too long to be kept.

use crate::id::{is_bidi_or_invisible, is_filler};

/// Line breaks that a question may have: more of them would push what matters out of sight.
const LINES: usize = 5;

/// Text that may be shown to a person who has to decide: without control characters, terminal sequences, changes of the
/// writing direction and invisible characters, and with at most five line breaks; those behind become spaces.
///
/// The author of a question is a model, and who wrote what the model read is not known: nothing in it may hide text,
/// move the cursor or draw a second menu.
///
/// ```
/// use graphwright::agent::display_text;
/// assert_eq!(display_text("pay \u{202e}001\u{202c} now\u{1b}[2K?"), "pay 001 now?");
/// ```
#[must_use]
pub fn display_text(text: &str) -> String {
    clean(text, LINES)
}

/// The same on one line: labels and headers, where a line break would fake another entry.
pub(super) fn display_line(text: &str) -> String {
    clean(text, 0)
}

/// The same with as many lines as there are: a preview is long by purpose.
pub(super) fn display_block(text: &str) -> String {
    clean(text, usize::MAX)
}

fn clean(text: &str, mut lines: usize) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // A terminal's sequence goes as a whole; of the other escapes only the escape, so that nothing is hidden.
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => skip_sequence(&mut chars),
            '\u{9b}' => skip_sequence(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' if lines > 0 => {
                lines -= 1;
                shown.push('\n');
            }
            '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push(' '),
            c if unseen(c) => {}
            c => shown.push(c),
        }
    }
    shown
}

/// Parameters, then one final character.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    chars.next_if(|c| matches!(c, '@'..='~'));
}

/// What is not seen, or changes how the rest is seen.
pub(crate) fn unseen(c: char) -> bool {
    c.is_control() || is_bidi_or_invisible(c) || is_filler(c)
}

/// At most `max` bytes of `text`, cut at a character; what was cut is said.
pub(crate) fn cut(mut text: String, max: usize) -> String {
    if text.len() > max {
        let whole = text.len();
        text.truncate((0..=max).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
        let lost = whole - text.len();
        text.push_str(&format!("\n[{lost} more bytes were cut]"));
    }
    text
}
