#[path = "../parts/mod.rs"]
mod parts;
use parts::*;

graph! {
    /// A loop that is wanted (V23).
    #[graph(endless)]
    pub Agent(Order, ()) {
        start -> draft -> review -> draft;
    }
}
