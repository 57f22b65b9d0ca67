//! What is written above a node is its description.
#![deny(missing_docs)]
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;

/// A draft.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    /// How often it was written.
    #[state(sum)]
    pub rounds: u32,
}

/// Writes.
#[node]
pub fn write(_: &Draft) {}

/// Prints.
///
/// In blue.
#[node]
pub fn print(_: &Draft) {}

graph! {
    /// Writes and prints.
    pub Desk(Draft) {
        start -> write -> print -> end;
    }
}

fn main() {
    assert_eq!(Desk::TOPOLOGY.docs, "Writes and prints.");
    let docs: Vec<&str> = Desk::TOPOLOGY.places.iter().map(|place| place.docs).collect();
    assert_eq!(docs, ["Writes.", "Prints.\n\nIn blue."]);
}
