//! A place, its ways and an arm that are there only with a feature: the same graph with it and without.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;

macro_rules! with_search_where {
    ($module:ident, $search:meta) => {
        mod $module {
            use super::*;

            #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
            pub struct Draft {
                #[state(sum)]
                rounds: u32,
            }

            #[derive(Clone, Copy, Route)]
            pub enum Next {
                #[cfg($search)]
                Search,
                Done,
            }

            #[cfg($search)]
            #[node]
            pub fn search(_: &Draft) {}

            #[node]
            pub fn write(_: &Draft) {}

            #[router]
            pub fn next(_: &Draft) -> Next {
                Next::Done
            }

            graph! {
                pub Desk(Draft) {
                    start -> write;
                    write -> match next {
                        #[cfg($search)]
                        Search => search,
                        Done => end,
                    };
                    #[cfg($search)]
                    search -> write;
                }
            }
        }
    };
}

with_search_where!(with, all());
with_search_where!(without, any());

fn main() {
    let names = |topology: &graphwright::topology::Topology| topology.places.iter().map(|place| place.name).collect::<Vec<_>>();
    assert_eq!(names(with::Desk::TOPOLOGY), ["write", "search"]);
    assert_eq!(names(without::Desk::TOPOLOGY), ["write"]);
    assert_eq!([with::Desk::TOPOLOGY.ways.len(), without::Desk::TOPOLOGY.ways.len()], [4, 2]);
}
