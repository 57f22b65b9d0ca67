mod parts;
use parts::*;

graph! {
    /// A place without a way out, and a ring without one.
    pub Agent(Order, ()) {
        start -> draft;
        draft -> match next { Good => publish, Bad => review };
        review -> revise;
        revise -> review;
    }
}

fn main() {}
