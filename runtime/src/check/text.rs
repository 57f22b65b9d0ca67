//! Text made while compiling.

use std::fmt;

/// At most `CAP` bytes of text; what does not fit is cut at a character.
#[derive(Clone, Copy)]
pub struct Text<const CAP: usize> {
    bytes: [u8; CAP],
    len: usize,
}

impl<const CAP: usize> Text<CAP> {
    /// Nothing yet.
    pub const NEW: Self = Self { bytes: [0; CAP], len: 0 };

    /// And this.
    #[must_use]
    pub const fn push(mut self, text: &str) -> Self {
        let from = text.as_bytes();
        let mut take = from.len();
        if take > CAP - self.len {
            take = CAP - self.len;
            while take > 0 && from[take] & 0b1100_0000 == 0b1000_0000 {
                take -= 1;
            }
        }
        let mut at = 0;
        while at < take {
            self.bytes[self.len] = from[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<const CAP: usize> fmt::Debug for Text<CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
