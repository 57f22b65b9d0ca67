//! The agent parts: tools, models, and the nodes that are made of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

mod agent {
    mod approval;
    mod budgets;
    mod conversations;
    mod guards;
    mod kit;
    mod mapped;
    mod models;
    mod nodes;
    mod rewriters;
    mod scripted;
    mod shop;
    mod tools;
    mod values;
}
