//! What the derives and attributes make of structs, enums and functions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub
)]

#[path = "attrs/errors.rs"]
mod errors;
#[path = "attrs/hygiene.rs"]
mod hygiene;
#[path = "attrs/interrupts.rs"]
mod interrupts;
#[path = "attrs/nodes.rs"]
mod nodes;
#[path = "attrs/routes.rs"]
mod routes;
#[path = "attrs/state.rs"]
mod state;
