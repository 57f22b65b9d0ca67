mod parts;
use parts::*;

graph! {
    /// The only start is configured out.
    pub Agent(Order, ()) {
        #[cfg(any())]
        start -> draft;
        draft -> end;
    }
}

fn main() {}
