//! Texts that try to leave their labels.

pub(super) const HOSTILE: [&str; 30] = [
    "\"]",
    "a\"] --> n9[\"b",
    "a\"]\n    click n0 \"javascript:alert(1)\"",
    "%%{init: {'securityLevel': 'loose'}}%%",
    "%% comment",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "$$\\href{javascript:alert(1)}{x}$$",
    "`**bold**`",
    "1. list",
    "- list",
    "# heading",
    "style x fill:#fff;",
    "classDef x fill:#fff;",
    "n0:::x@{shape: cat}",
    "end",
    "subgraph",
    "#quot;",
    "#35;",
    "&quot;&#34;&amp;",
    "a|b",
    "{{}} (()) [[]] {[(",
    "back\\slash\\\"",
    "two\nlines\r\nand\ta tab",
    "\u{202e}desrever\u{202c}",
    "zero\u{200b}width\u{feff}",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "🙂 Grüße, 你好; שלום",
    "👨\u{200d}👩\u{200d}👧",
    "",
];

/// A label as it is seen: nothing hides.
pub(super) fn shown(label: &str) -> String {
    let hides = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    label.chars().map(|c| if hides(c) { '\u{fffd}' } else { c }).collect()
}
