//! What the compiler is asked about a graph: one linear `const fn` pass over its topology.

mod text;

pub use text::Text;
