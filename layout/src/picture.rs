//! What is drawn.

/// A graph as it is to be seen. All texts are taken as they are, and escaped where they are written.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Its name.
    pub name: String,
    /// What it shows, for whoever does not see it.
    pub description: String,
    /// Boxes, bars and dots; arrows name them by their number. The start comes first, if there is one.
    pub nodes: Vec<Node>,
    /// Arrows, in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// Whether it shows a run: what was not visited steps back.
    pub marked: bool,
}

/// A box, a bar or a dot.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What stands in it, or beside it.
    pub label: String,
    /// Its shape.
    pub shape: Shape,
    /// Its colour.
    pub tint: Tint,
    /// Whether somebody is asked there.
    pub asks: bool,
    /// Whether there are several of it at once, one for each item.
    pub stacked: bool,
    /// What is told about it when somebody points at it.
    pub tooltip: String,
    /// Where a click leads.
    pub link: Option<String>,
    /// What a run did there.
    pub mark: Mark,
    /// What is in it: then it is a frame.
    pub inner: Option<Picture>,
}

/// The shape of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A round box.
    #[default]
    Box,
    /// A hexagon: from here on there is a choice.
    Hexagon,
    /// A bar: branches begin or meet.
    Bar,
    /// The dot where it begins.
    Start,
    /// The dot in a ring where it ends.
    End,
}

/// The colour of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// Grey.
    #[default]
    Plain,
    /// Blue.
    Model,
    /// Green.
    Tools,
    /// Amber.
    Asking,
    /// Violet.
    Choice,
    /// Red.
    Cut,
    /// Cyan.
    Graph,
}

/// What a run did at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// It was not there.
    #[default]
    None,
    /// It was there.
    Visited,
    /// It is there now.
    Active,
    /// It waits there for somebody.
    Paused,
    /// It failed there.
    Failed,
}

/// An arrow.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// The number of the node where it begins.
    pub from: usize,
    /// The number of the node where it ends.
    pub to: usize,
    /// Where it begins in a frame: the number of one of the ends in it.
    pub exit: Option<usize>,
    /// When it is taken.
    pub label: String,
    /// How its line looks.
    pub line: Line,
    /// How often a run took it.
    pub taken: u64,
}

/// How the line of an arrow looks. One that leads back is dashed besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Line {
    /// As usual.
    #[default]
    Plain,
    /// Strong and amber: here somebody is asked first.
    Gate,
    /// Dotted and red: here something went wrong.
    Error,
}

impl Picture {
    /// The number of the node where it begins, if it has one.
    pub(crate) fn start(&self) -> Option<usize> {
        self.nodes.iter().position(|node| node.shape == Shape::Start)
    }
}
