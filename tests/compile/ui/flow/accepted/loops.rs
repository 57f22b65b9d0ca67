#[path = "../parts/mod.rs"]
mod parts;
use parts::*;

graph! {
    /// Loops with a way out (V01).
    pub Agent(Order, ()) {
        start -> draft;
        draft -> draft if urgent;
        draft -> match next { Good => publish, Bad => revise at_most 3 else end };
        revise -> draft;
        publish -> end;
    }
}
