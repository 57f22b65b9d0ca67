//! Names that sound like words of a graph.
#![deny(warnings)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

macro_rules! nodes {
    ($($name:ident),*) => { $(#[node] pub fn $name(_: &Draft) {})* };
}

nodes!(start_, finish, join_all, graph, user, router, interrupt, tools_x, state, node, some_, each_, r#match, r#end, r#start, r#never);

graph! {
    pub Clash(Draft) {
        start -> start_ -> finish -> join_all -> graph -> user -> router -> interrupt -> tools_x -> state -> node -> some_ -> each_;
        each_ -> r#match -> r#end -> r#start -> r#never -> end;
        graph: as "Graph", timeout(1s);
    }
}

fn main() {}
