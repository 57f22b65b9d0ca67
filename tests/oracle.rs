//! The compiler's checker against an oracle that plays what can run, on random graphs.
//!
//! The oracle is written from the wording of the rules and shares nothing with the checker: it goes wherever a run can be, in
//! the branches of forks in forks, and asks the rules of that.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod oracle {
    mod agree;
    mod graphs;
    mod large;
    mod paths;
    mod plants;
    mod rules;
    mod runs;
    mod witness;
    mod writes;
}
