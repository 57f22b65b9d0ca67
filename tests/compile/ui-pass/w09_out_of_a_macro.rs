//! A graph that a user's own macro writes.
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

mod nodes {
    /// Writes.
    #[graphwright::node]
    pub(crate) fn write(_: &super::Draft) {}
}

/// Whether it will do.
#[router]
pub fn is_good(draft: &Draft) -> bool {
    draft.rounds > 3
}

macro_rules! one_step {
    ($(#[$meta:meta])* $name:ident, $state:ty, $node:path, $router:path) => {
        graph! {
            $(#[$meta])*
            pub $name($state, ()) {
                start -> $node;
                $node -> end if $router;
                $node -> match $router { true => $node at_most 3 else end, false => end };
            }
        }
    };
}

one_step! {
    /// Out of a macro.
    #[derive(PartialEq, Eq, Hash, Default)]
    Made, Draft, nodes::write, crate::is_good
}

fn main() {
    assert_eq!(Made::TOPOLOGY.docs, "Out of a macro.");
    assert_eq!(format!("{:?}", Made::default()), "Made");
}
