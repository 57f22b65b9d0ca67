//! A picture as text for a terminal.

mod canvas;
mod figure;
mod node;
mod size;
mod tracks;

use crate::picture::Picture;
use figure::Figure;

/// Which signs lines are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signs {
    Unicode,
    Ascii,
}

impl Picture {
    /// Draws it with lines of Unicode: loops dashed, a gate doubled, errors dotted. No line ends in a space.
    #[must_use]
    pub fn text(&self) -> String {
        Figure::of(self, Signs::Unicode).canvas.text()
    }

    /// Draws it with lines of ASCII; names are as they are.
    #[must_use]
    pub fn ascii(&self) -> String {
        Figure::of(self, Signs::Ascii).canvas.text()
    }
}
