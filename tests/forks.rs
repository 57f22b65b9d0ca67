//! Branches that run at the same time, and where they meet.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/stores.rs"]
mod stores;

mod forks {
    mod bounds;
    mod each;
    mod failures;
    mod joins;
    mod shapes;
}
