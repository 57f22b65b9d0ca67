//! What a thread keeps, whatever happens to the run that drives it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod threads {
    mod breaks;
    mod cached;
    mod cuts;
    mod doubles;
    mod events;
    mod hazards;
    mod limits;
    mod machine;
    mod modes;
    mod operations;
    mod refused;
    mod settings;
    mod shown;
    mod taken_up;
    mod travel;
}
