//! The cases of the specification, each a test whose name carries its number.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod behaviour {
    mod beside;
    mod contracts;
    mod desk;
    mod elicitation;
    mod events;
    mod hostile;
    mod kit;
    mod resume;
    mod routing;
    mod runs;
    mod shop;
    mod turns;
}
