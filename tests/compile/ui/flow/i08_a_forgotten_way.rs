mod parts;
use parts::*;

graph! {
    /// One statement is missing, and one error said.
    pub Agent(Order, ()) {
        start -> draft;
        review -> publish -> end;
    }
}

fn main() {}
