//! The picture is the program: what is drawn is read back as the same graph, whatever its labels hold.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod diagrams {
    mod agent;
    mod browser;
    mod data;
    mod dice;
    mod docs;
    mod dot;
    mod forks;
    mod forms;
    mod gallery;
    mod graphs;
    mod histories;
    mod json;
    mod labels;
    mod marks;
    mod measured;
    mod mermaid;
    mod png;
    mod random;
    mod runs;
    mod rustdoc;
    mod state;
    mod svg;
    mod terminal;
    mod tidy;
    mod xml;
}
