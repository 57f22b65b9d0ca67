//! What is laid out, boxes of a size and arrows between them, and what comes of it.

/// Boxes and arrows, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) boxes: Vec<Size>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) spacing: Spacing,
}

/// A box around its middle, through which straight arrows go.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    /// From the middle to the left.
    pub(crate) left: f64,
    /// From the middle to the right, with all that is written beside it.
    pub(crate) right: f64,
    pub(crate) height: f64,
    /// How far from the middle arrows may meet it.
    pub(crate) reach: f64,
    /// Below all others.
    pub(crate) last: bool,
    /// Grows over whatever it leads to, as far as there is room.
    pub(crate) bar: bool,
}

/// From box to box.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Width and height of what is written on it.
    pub(crate) label: Option<(f64, f64)>,
    /// Leaves its box at the bottom and here, counted from the middle.
    pub(crate) leaves: Option<f64>,
    /// Enters its box at the top and here, counted from the middle.
    pub(crate) enters: Option<f64>,
}

/// How near things may stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spacing {
    /// Between two boxes.
    pub(crate) boxes: f64,
    /// Between a line and what stands beside it.
    pub(crate) lines: f64,
    /// Between two arrows at one box.
    pub(crate) ports: f64,
    /// Between two rows of boxes.
    pub(crate) rows: f64,
    /// Above and below a row of labels.
    pub(crate) labels: f64,
    /// The room of a loop from a box to itself.
    pub(crate) own_loop: f64,
    /// How much a wide swing of a line lowers the next row.
    pub(crate) swing: f64,
    /// Everything stands on whole numbers.
    pub(crate) whole: bool,
}

/// Where everything stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) boxes: Vec<Placed>,
    pub(crate) routes: Vec<Route>,
    /// The row of each box.
    pub(crate) rows_of: Vec<usize>,
    /// Top and bottom of each row; boxes stand in the even ones, labels in the odd ones.
    pub(crate) bands: Vec<(f64, f64)>,
}

/// A box that has its place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Placed {
    /// Its middle.
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// From the middle to the left; a bar has grown.
    pub(crate) left: f64,
    /// From the middle to the right.
    pub(crate) right: f64,
}

/// The course of an arrow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    /// It leads back: up, and drawn as a loop.
    pub(crate) back: bool,
    /// It leads from a box to itself.
    pub(crate) own: bool,
    /// The stretches on which it goes straight up or down, one in each row, from its tail to its head.
    pub(crate) legs: Vec<Leg>,
    /// The middle of its label.
    pub(crate) label: Option<(f64, f64)>,
}

/// A line through a row, from top to bottom.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leg {
    pub(crate) row: usize,
    pub(crate) x: f64,
    /// Half of the label that stands on it, upwards and downwards.
    pub(crate) label: Option<f64>,
}
