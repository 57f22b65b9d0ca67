//! What the tests share: graphs that people really run.

#[path = "corpus/graphs/mod.rs"]
pub mod graphs;
