//! The picture is the program: a graph as Mermaid, DOT, SVG, JSON and text, and the path of a run over it.
//!
//! ```no_run
//! # fn show(topology: &'static graphwright::topology::Topology) -> std::io::Result<()> {
//! use graphwright::diagram::{Mark, Marks};
//!
//! std::fs::write("support.svg", topology.diagram().depth(1).svg())?;
//! println!("{}", topology.diagram().text());
//!
//! let marks = Marks::new().place("react", Mark::Visited).place("elicitation", Mark::Paused).way(1, 1);
//! std::fs::write("paused.svg", topology.diagram().with(&marks).svg())?;
//! # Ok(()) }
//! ```
//!
//! Over a graph is drawn whatever gives [marks](ToMarks): `diagram().with(&thread.history().await?)` shows where a thread
//! went and where it waits, and `diagram().with(&app.coverage().await?)` which ways no test took.

mod dot;
mod history;
mod json;
mod links;
mod marks;
mod picture;
#[cfg(feature = "png")]
mod png;
mod runs;
mod state;

pub use graphwright_layout::Mark;
pub use json::{EdgeJson, GraphJson, NodeJson};
pub use links::Links;
pub use marks::{Marks, ToMarks};
#[cfg(feature = "png")]
pub use png::{Ground, PngError};

use graphwright_layout::{Page, Picture};

use crate::topology::Topology;
use crate::topology::mermaid::flowchart;
use crate::topology::scene::Scene;

/// A graph that is about to be drawn.
///
/// Every form is the same text for the same graph, on every machine. Each text of the graph is escaped for the form it
/// stands in, ids are made up, and characters that change how others are shown are replaced by `U+FFFD`.
#[derive(Clone, Debug)]
#[must_use = "a diagram is drawn by one of its methods, `svg()` for one"]
pub struct Diagram<'a> {
    topology: &'a Topology,
    depth: usize,
    marks: Option<Marks>,
    links: Option<&'a Links>,
}

impl Topology {
    /// Draws the graph.
    pub const fn diagram(&self) -> Diagram<'_> {
        Diagram { topology: self, depth: 0, marks: None, links: None }
    }
}

impl<'a> Diagram<'a> {
    /// Opens mounted graphs up, and those in them, this many levels; none unless it is said. A picture of thousands of
    /// places stays closed from there on.
    pub const fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// Draws over it what happened on it: the history of a thread, what runs told, the coverage of tests. What was not
    /// visited steps back.
    pub fn with(mut self, run: &(impl ToMarks + ?Sized)) -> Self {
        self.marks = Some(run.to_marks(self.topology));
        self
    }

    /// Makes names lead to pages.
    pub const fn linked(mut self, links: &'a Links) -> Self {
        self.links = Some(links);
        self
    }

    /// SVG, for a file of its own: on one line, light or dark as its reader has set.
    ///
    /// Boxes are tinted by role: models blue, tools green, what asks the user amber and with a badge, mounted graphs cyan, what
    /// cuts a loop red. A hexagon is a choice, a bar is where branches begin or meet, and a stack is one for each item. The gate
    /// is a strong amber arrow; loops are dashed, ways on an error dotted and red.
    #[must_use]
    pub fn svg(&self) -> String {
        self.picture().svg(Page::File)
    }

    /// SVG in one `div`, on one line: what the docs of an item may hold, in the colours of the page around it.
    #[must_use]
    pub fn rustdoc(&self) -> String {
        self.picture().rustdoc()
    }

    /// Text for a terminal, with lines of Unicode.
    #[must_use]
    pub fn text(&self) -> String {
        self.picture().text()
    }

    /// Text for a terminal that knows ASCII only: the lines are, and the names are as they are.
    #[must_use]
    pub fn ascii(&self) -> String {
        self.picture().ascii()
    }

    /// A Mermaid flowchart, as [`Topology::mermaid`] draws it.
    #[must_use]
    pub fn mermaid(&self) -> String {
        flowchart(&self.scene())
    }

    /// A Mermaid state diagram.
    #[must_use]
    pub fn state_diagram(&self) -> String {
        state::write(&self.scene())
    }

    /// A graph for Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        dot::write(&self.scene())
    }

    /// Nodes and edges as JSON, in the form that LangGraph's tools read, with what more is known beside it: a [`GraphJson`].
    #[must_use]
    pub fn json(&self) -> String {
        // Texts, numbers and lists: there is nothing in it that JSON cannot say.
        serde_json::to_string_pretty(&GraphJson::of(&self.scene(), self.marks.as_ref())).unwrap_or_default()
    }

    fn scene(&self) -> Scene<'a> {
        Scene::of(self.topology, self.depth)
    }

    fn picture(&self) -> Picture {
        picture::of(&self.scene(), self.marks.as_ref(), self.links)
    }
}
