//! Graphs in graphs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/stores.rs"]
mod stores;

mod mounts {
    mod apart;
    mod whole;
}
