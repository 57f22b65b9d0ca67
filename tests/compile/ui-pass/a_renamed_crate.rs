//! Another name for the crate, a re-export through a module, and nothing imported.
#![deny(warnings)]

mod ai {
    pub mod kit {
        pub use graphwright::*;
    }
}

use ai::kit as gw;

use gw::prelude::{Deserialize, Serialize, State};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Mail {
    text: String,
}

#[gw::node(crate = crate::ai::kit)]
pub fn read(_: &Mail) {}

gw::graph! {
    pub Desk(Mail) {
        start -> read -> end;
    }
}

mod inner {
    super::ai::kit::graph! {
        pub(super) Other(super::Mail, ()) {
            start -> super::read;
            super::read -> end;
        }
    }
}

fn main() {
    use gw::Graph;
    assert_eq!(Desk::TOPOLOGY.name, "Desk");
    assert_eq!(inner::Other::TOPOLOGY.places[0].name, "read");
}
