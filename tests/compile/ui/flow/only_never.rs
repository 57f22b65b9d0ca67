mod parts;
use parts::*;

graph! {
    /// A run that comes here cannot go on.
    pub Agent(Order, ()) {
        start -> draft;
        draft -> match next { Good => never, Bad => never };
    }
}

fn main() {}
