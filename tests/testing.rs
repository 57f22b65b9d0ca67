//! The kit for tests of graphs: `graphwright::testing`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::ptr_arg)]

mod testing {
    mod app;
    mod book;
    mod claims;
    mod coverage;
    mod expect;
    mod people;
    mod recording;
    mod stubs;
}
