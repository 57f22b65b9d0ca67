//! Every example is cut at every point where it can be: dropped at each poll, dropped before, in and behind each call of the
//! store, the store failing at each call, once and from then on, each reply lost; in memory and on a file. Then it is brought
//! to its end, and must come to what it comes to when nobody disturbs it. Part of the package `graphwright-examples`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/claims.rs"]
mod claims;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/coding.rs"]
mod coding;
#[allow(dead_code, reason = "some of it is of the other tests")]
#[path = "common/faults.rs"]
mod faults;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/support/graph.rs"]
mod graph;
#[allow(dead_code, reason = "some of it is of the other tests")]
#[path = "common/laws.rs"]
mod laws;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/support/model.rs"]
mod model;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/pipeline.rs"]
mod pipeline;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/research.rs"]
mod research;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/support/shop.rs"]
mod shop;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/swarm.rs"]
mod swarm;

mod example_cuts {
    mod cut;
    mod stories;
    mod sweep;
}
