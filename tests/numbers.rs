//! The numbers to reach: each test counts what it did, says so, and fails if it did less.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::ptr_arg, clippy::print_stdout)]

#[path = "numbers/graphs.rs"]
mod graphs;

mod numbers {
    mod canary;
    mod edits;
    mod ends;
    mod malformed;
    mod own;
    mod paused;
    mod soak;
    mod streams;
    mod tokens;
    mod was;

    /// What every panic of these tests said: one hook for all of them, under which those that are meant say nothing.
    fn panics() -> &'static std::sync::Mutex<Vec<String>> {
        static SAID: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                SAID.lock().unwrap().push(panic.to_string());
                if panic.payload().downcast_ref::<&str>() != Some(&"told to panic") {
                    before(panic);
                }
            }));
        });
        &SAID
    }
}
