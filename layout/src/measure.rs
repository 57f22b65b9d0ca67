//! How wide texts are: no font is asked, so that a picture is the same on every machine.

/// Hundredths of the font's size for each character from the space to the tilde: the widest of Inter Medium, Noto Sans and
/// the fonts that are as wide as Arial.
const ASCII: [u8; 95] = [
    28, 29, 41, 65, 64, 89, 73, 23, 38, 38, 55, 67, 29, 46, 28, 37, 65, 57, 61, 64, 65, 62, 64, 58, 63, 64, 28, 29, 67, 67, 67, 56, 102,
    70, 67, 74, 73, 67, 61, 78, 74, 34, 55, 67, 56, 91, 76, 78, 67, 78, 72, 67, 65, 74, 70, 98, 67, 68, 64, 38, 37, 38, 57, 56, 58, 57, 63,
    57, 63, 59, 37, 62, 62, 26, 26, 56, 26, 94, 62, 60, 62, 62, 41, 54, 37, 62, 57, 82, 55, 57, 55, 38, 55, 38, 67,
];

/// The width of a line in a proportional font of this size.
pub(crate) fn width(line: &str, size: f64) -> f64 {
    let hundredths = |c: char| match (u32::from(c).checked_sub(32).and_then(|at| ASCII.get(at as usize)), columns_of(c)) {
        (Some(width), _) => f64::from(*width),
        (None, 0) => 0.0,
        (None, 1) => 72.0,
        (None, _) => 106.0,
    };
    line.chars().map(hundredths).sum::<f64>() * size / 100.0
}

/// The columns that a line takes in a terminal.
pub(crate) fn columns(line: &str) -> usize {
    line.chars().map(columns_of).sum()
}

/// The columns of a character: none of one that is put over another, two of East Asia's letters and of pictures.
pub(crate) fn columns_of(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f
        | 0x483..=0x489
        | 0x591..=0x5bd
        | 0x5bf
        | 0x5c1..=0x5c2
        | 0x5c4..=0x5c5
        | 0x5c7
        | 0x610..=0x61a
        | 0x64b..=0x65f
        | 0x670
        | 0x6d6..=0x6dc
        | 0x6df..=0x6e4
        | 0x6e7..=0x6e8
        | 0x6ea..=0x6ed
        | 0x900..=0x902
        | 0x93a
        | 0x93c
        | 0x941..=0x948
        | 0x94d
        | 0x951..=0x957
        | 0x962..=0x963
        | 0xe31
        | 0xe34..=0xe3a
        | 0xe47..=0xe4e
        | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff
        | 0x200b..=0x200f
        | 0x202a..=0x202e
        | 0x2060..=0x2069
        | 0x20d0..=0x20ff
        | 0xfe00..=0xfe0f
        | 0xfe20..=0xfe2f
        | 0xfeff
        | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f
        | 0x231a..=0x231b
        | 0x23e9..=0x23ec
        | 0x23f0
        | 0x23f3
        | 0x25fd..=0x25fe
        | 0x2614..=0x2615
        | 0x2648..=0x2653
        | 0x267f
        | 0x2693
        | 0x26a1
        | 0x26aa..=0x26ab
        | 0x26bd..=0x26be
        | 0x26c4..=0x26c5
        | 0x26ce
        | 0x26d4
        | 0x26ea
        | 0x26f2..=0x26f3
        | 0x26f5
        | 0x26fa
        | 0x26fd
        | 0x2705
        | 0x270a..=0x270b
        | 0x2728
        | 0x274c
        | 0x274e
        | 0x2753..=0x2755
        | 0x2757
        | 0x2795..=0x2797
        | 0x27b0
        | 0x27bf
        | 0x2b1b..=0x2b1c
        | 0x2b50
        | 0x2b55
        | 0x2e80..=0x303e
        | 0x3041..=0x33ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xa000..=0xa4cf
        | 0xa960..=0xa97f
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe10..=0xfe19
        | 0xfe30..=0xfe6f
        | 0xff01..=0xff60
        | 0xffe0..=0xffe6
        | 0x16fe0..=0x18aff
        | 0x1b000..=0x1b2ff
        | 0x1f004
        | 0x1f0cf
        | 0x1f18e
        | 0x1f191..=0x1f19a
        | 0x1f200..=0x1f320
        | 0x1f32d..=0x1f335
        | 0x1f337..=0x1f37c
        | 0x1f37e..=0x1f393
        | 0x1f3a0..=0x1f3ca
        | 0x1f3cf..=0x1f3d3
        | 0x1f3e0..=0x1f3f0
        | 0x1f3f4
        | 0x1f3f8..=0x1f43e
        | 0x1f440
        | 0x1f442..=0x1f4fc
        | 0x1f4ff..=0x1f53d
        | 0x1f54b..=0x1f54e
        | 0x1f550..=0x1f567
        | 0x1f57a
        | 0x1f595..=0x1f596
        | 0x1f5a4
        | 0x1f5fb..=0x1f64f
        | 0x1f680..=0x1f6c5
        | 0x1f6cc
        | 0x1f6d0..=0x1f6d2
        | 0x1f6d5..=0x1f6d7
        | 0x1f6dc..=0x1f6df
        | 0x1f6eb..=0x1f6ec
        | 0x1f6f4..=0x1f6fc
        | 0x1f7e0..=0x1f7eb
        | 0x1f7f0
        | 0x1f90c..=0x1f93a
        | 0x1f93c..=0x1f945
        | 0x1f947..=0x1f9ff
        | 0x1fa70..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// A text in lines that are about as wide as `most` characters: it is broken at spaces and after signs, and between any
/// two characters where there is none.
pub(crate) fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for whole in text.split('\n') {
        let mut line = String::new();
        let whole: String = whole.chars().map(shown).collect();
        for word in whole.split_inclusive([' ', '_', '|', ':', '.', '/', ',', '-']) {
            if !line.is_empty() && columns(line.trim_end()) + columns(word.trim_end()) > most {
                lines.push(std::mem::take(&mut line));
            }
            for c in word.chars() {
                if columns(&line) >= most.saturating_mul(2) {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
        lines.push(line);
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

/// A character as it may be shown: nothing that hides, and nothing that changes how others are shown. (Unicode TR 36.)
pub(crate) fn shown(c: char) -> char {
    match c {
        // They join letters and pictures, and hide nothing.
        '\u{200c}' | '\u{200d}' => c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
            char::REPLACEMENT_CHARACTER
        }
        '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
