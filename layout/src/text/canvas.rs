//! Rows of cells, in which lines meet.

use super::Signs;
use crate::measure::columns_of;

/// Towards where a line leaves a cell.
pub(super) const UP: u8 = 1;
pub(super) const RIGHT: u8 = 2;
pub(super) const DOWN: u8 = 4;
pub(super) const LEFT: u8 = 8;

/// How a line looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stroke {
    #[default]
    Plain,
    /// Leads back.
    Dashed,
    /// The gate.
    Double,
    /// On an error.
    Dotted,
}

#[derive(Clone, Debug, Default)]
enum Cell {
    #[default]
    Empty,
    Line {
        towards: u8,
        stroke: Stroke,
    },
    Text(String),
    /// The right half of a wide letter.
    Half,
}

/// Cells, from above and from the left.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: usize,
    cells: Vec<Cell>,
    signs: Signs,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, signs: Signs) -> Self {
        Self { width, cells: vec![Cell::Empty; width * height], signs }
    }

    fn cell(&mut self, x: usize, y: usize) -> Option<&mut Cell> {
        if x < self.width { self.cells.get_mut(y * self.width + x) } else { None }
    }

    /// Adds a piece of a line to a cell: lines that meet there cross.
    pub(super) fn line(&mut self, x: usize, y: usize, towards: u8, stroke: Stroke) {
        if let Some(cell) = self.cell(x, y) {
            match cell {
                Cell::Line { towards: before, stroke: old } => {
                    *before |= towards;
                    if *old != stroke {
                        *old = Stroke::Plain;
                    }
                }
                Cell::Empty => *cell = Cell::Line { towards, stroke },
                Cell::Text(_) | Cell::Half => {}
            }
        }
    }

    /// A line down a column, both ends in it.
    pub(super) fn down(&mut self, x: usize, from: usize, to: usize, stroke: Stroke) {
        for y in from..=to {
            self.line(x, y, UP | DOWN, stroke);
        }
    }

    /// A sign, whatever was there.
    pub(super) fn put(&mut self, x: usize, y: usize, sign: char) {
        if let Some(cell) = self.cell(x, y) {
            *cell = Cell::Text(sign.into());
        }
    }

    /// A text in one row, over whatever was there.
    pub(super) fn write(&mut self, mut x: usize, y: usize, text: &str) {
        for c in text.chars() {
            let columns = columns_of(c);
            if columns == 0 {
                // It is put over the letter before it, which may be wide.
                for back in 1..=2 {
                    if let Some(Cell::Text(letter)) = x.checked_sub(back).and_then(|x| self.cell(x, y)) {
                        letter.push(c);
                        break;
                    }
                }
                continue;
            }
            self.put(x, y, c);
            if columns == 2
                && let Some(cell) = self.cell(x + 1, y)
            {
                *cell = Cell::Half;
            }
            x += columns;
        }
    }

    /// Lays another canvas over it.
    pub(super) fn lay(&mut self, x: usize, y: usize, other: &Self) {
        for (number, cell) in other.cells.iter().enumerate().filter(|(_, cell)| !matches!(cell, Cell::Empty)) {
            if let Some(below) = self.cell(x + number % other.width, y + number / other.width) {
                *below = cell.clone();
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for row in self.cells.chunks(self.width.max(1)) {
            let start = text.len();
            for cell in row {
                match cell {
                    Cell::Empty => text.push(' '),
                    Cell::Line { towards, stroke } => text.push(sign(*towards, *stroke, self.signs)),
                    Cell::Text(letters) => text.push_str(letters),
                    Cell::Half => {}
                }
            }
            text.truncate(start + text.get(start..).map_or(0, |row| row.trim_end().len()));
            text.push('\n');
        }
        text
    }
}

const fn sign(towards: u8, stroke: Stroke, signs: Signs) -> char {
    const VERTICAL: u8 = UP | DOWN;
    const HORIZONTAL: u8 = LEFT | RIGHT;
    const RIGHT_DOWN: u8 = RIGHT | DOWN;
    const LEFT_DOWN: u8 = LEFT | DOWN;
    const RIGHT_UP: u8 = RIGHT | UP;
    const LEFT_UP: u8 = LEFT | UP;
    const UP_RIGHT_DOWN: u8 = VERTICAL | RIGHT;
    const UP_LEFT_DOWN: u8 = VERTICAL | LEFT;
    match (signs, stroke, towards) {
        (Signs::Unicode, Stroke::Double, VERTICAL) => '║',
        (Signs::Unicode, Stroke::Double, HORIZONTAL) => '═',
        (Signs::Unicode, Stroke::Double, RIGHT_DOWN) => '╔',
        (Signs::Unicode, Stroke::Double, LEFT_DOWN) => '╗',
        (Signs::Unicode, Stroke::Double, RIGHT_UP) => '╚',
        (Signs::Unicode, Stroke::Double, LEFT_UP) => '╝',
        (Signs::Unicode, Stroke::Dashed, VERTICAL) => '╎',
        (Signs::Unicode, Stroke::Dashed, HORIZONTAL) => '╌',
        (Signs::Unicode, Stroke::Dotted, VERTICAL) => '┊',
        (Signs::Unicode, Stroke::Dotted, HORIZONTAL) => '┈',
        (Signs::Unicode, _, VERTICAL) => '│',
        (Signs::Unicode, _, HORIZONTAL) => '─',
        (Signs::Unicode, _, RIGHT_DOWN) => '╭',
        (Signs::Unicode, _, LEFT_DOWN) => '╮',
        (Signs::Unicode, _, RIGHT_UP) => '╰',
        (Signs::Unicode, _, LEFT_UP) => '╯',
        (Signs::Unicode, _, UP_RIGHT_DOWN) => '├',
        (Signs::Unicode, _, UP_LEFT_DOWN) => '┤',
        (Signs::Unicode, ..) => '┼',
        (Signs::Ascii, Stroke::Double, VERTICAL) => '#',
        (Signs::Ascii, Stroke::Double, HORIZONTAL) => '=',
        (Signs::Ascii, Stroke::Dashed, VERTICAL) => ':',
        (Signs::Ascii, Stroke::Dashed, HORIZONTAL) => '.',
        (Signs::Ascii, Stroke::Dotted, VERTICAL) => '!',
        (Signs::Ascii, Stroke::Dotted, HORIZONTAL) => '~',
        (Signs::Ascii, _, VERTICAL) => '|',
        (Signs::Ascii, _, HORIZONTAL) => '-',
        (Signs::Ascii, _, RIGHT_DOWN | LEFT_DOWN) => '.',
        (Signs::Ascii, _, RIGHT_UP | LEFT_UP) => '\'',
        (Signs::Ascii, ..) => '+',
    }
}
