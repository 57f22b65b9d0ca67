//! A graph in a function body, two graphs with the same nodes in one module, and one out of a user's own macro.
#![deny(missing_docs, unused, unreachable_pub)]

use graphwright::prelude::*;
use graphwright::{Graph, graph};

/// The state.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Mail {
    text: String,
}

/// Reads.
#[node]
pub fn read(_: &Mail) {}

mod nodes {
    use super::Mail;

    /// Sends.
    #[graphwright::node]
    pub(crate) fn send(_: &Mail) {}
}

/// What of it is short.
#[router]
pub fn is_short(mail: &Mail) -> bool {
    mail.text.len() < 80
}

graph! {
    /// Documented.
    #[derive(PartialEq, Eq, Hash, Default)]
    pub Desk(Mail) { start -> read -> end; }
}

graph! {
    pub(crate) Other(Mail, ()) { start -> read -> nodes::send -> end; }
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
    Made, Mail, nodes::send, crate::is_short
}

fn main() {
    graph! {
        Local(Mail) {
            start -> read;
            read -> end;
        }
    }
    assert_eq!(Local::TOPOLOGY.name, "Local");
    assert_eq!(Desk, Desk::default());
    assert_eq!(Made::TOPOLOGY.docs, "Out of a macro.");
    assert_eq!(format!("{:?}", Other), "Other");
}
