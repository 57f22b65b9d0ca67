mod parts;
use parts::*;

graph! {
    /// Two places lead to each other.
    pub Agent(Order, ()) {
        start -> draft -> end;
        review -> match next { Good => end, Bad => revise };
        revise -> review;
    }
}

fn main() {}
