mod parts;
use parts::*;

graph! {
    /// Nothing is said of what follows `revise`.
    pub Agent(Order, ()) {
        start -> draft;
        draft -> match next { Good => publish, Bad => revise };
        publish -> end;
    }
}

fn main() {}
