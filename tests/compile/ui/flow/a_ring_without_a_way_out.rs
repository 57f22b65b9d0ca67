mod parts;
use parts::*;

graph! {
    /// One ring, one error.
    pub Agent(Order, ()) {
        start -> draft -> review;
        review -> match next { Good => revise, Bad => draft };
        revise -> review;
    }
}

fn main() {}
