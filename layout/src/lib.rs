//! Lays out directed graphs in layers, and draws them.
//!
//! A [`Picture`] is boxes, bars and dots with arrows between them. [`Picture::svg`] draws it as SVG and [`Picture::text`]
//! for a terminal; both are the same on every machine, to the byte. It knows nothing of agents, and has no dependencies.
//!
//! ```
//! use graphwright_layout::{Edge, Node, Page, Picture, Shape};
//!
//! let node = |label: &str, shape| Node { label: label.to_owned(), shape, ..Node::default() };
//! let picture = Picture {
//!     name: "Greeter".to_owned(),
//!     nodes: vec![node("", Shape::Start), node("greet", Shape::Box), node("", Shape::End)],
//!     edges: vec![Edge { from: 0, to: 1, ..Edge::default() }, Edge { from: 1, to: 2, ..Edge::default() }],
//!     ..Picture::default()
//! };
//! assert!(picture.svg(Page::File).starts_with("<svg "));
//! ```

#![allow(clippy::cast_precision_loss, reason = "places are counted in thousands, and a float is exact far beyond")]

mod across;
mod acyclic;
mod crossings;
mod grid;
mod list;
mod measure;
mod order;
mod picture;
mod plan;
mod ports;
mod sheet;
mod svg;
mod text;

pub use picture::{Edge, Line, Mark, Node, Picture, Shape, Tint};
pub use svg::{Page, is_safe_link};
