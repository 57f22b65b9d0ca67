//! Branches that run at the same time, and where they meet.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::ptr_arg)]

#[allow(dead_code, reason = "some of it is of the other tests")]
#[path = "threads/doubles.rs"]
mod doubles;
#[path = "common/stores.rs"]
mod stores;

mod forks {
    mod acts;
    mod beside;
    mod bounds;
    mod cuts;
    mod deploys;
    mod durability;
    mod each;
    mod failures;
    mod holes;
    mod joins;
    mod lanes;
    mod migrated;
    mod policies;
    mod questions;
    mod retention;
    mod rolling;
    mod shapes;
    mod travel;
    mod tree;
}
