mod parts;
use parts::*;

graph! {
    /// Nothing leads to `review`.
    pub Agent(Order, ()) {
        start -> draft -> end;
        review -> end;
    }
}

fn main() {}
