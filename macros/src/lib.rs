//! The macros of [`graphwright`](https://docs.rs/graphwright); use them through that crate.

mod diagnostics;
mod krate;
mod names;
mod spans;
mod suggest;
