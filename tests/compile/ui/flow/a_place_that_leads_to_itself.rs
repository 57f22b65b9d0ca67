mod parts;
use parts::*;

graph! {
    /// It is the smallest ring.
    pub Agent(Order, ()) {
        start -> draft;
        draft -> draft;
    }
}

fn main() {}
