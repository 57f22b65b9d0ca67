//! What the graphs of the corpus share: two states, and nodes and routers that do next to nothing.

pub(super) use graphwright::agent::{ask_user_pending, elicitation};

use graphwright::agent::Conversation;
use graphwright::{NodeResult, Update};
use serde::{Deserialize, Serialize};

/// What the graphs work on. Whatever is written is added to what is there, so any two places may run at once.
#[derive(Clone, Debug, Default, Serialize, Deserialize, graphwright::State)]
pub(crate) struct State {
    #[state(conversation)]
    talk: Conversation,
    #[state(append)]
    pub(super) notes: Vec<String>,
}

/// What mounted graphs work on that have a state of their own.
#[derive(Clone, Debug, Default, Serialize, Deserialize, graphwright::State)]
pub(crate) struct Inner {
    #[state(conversation)]
    talk: Conversation,
    #[state(append)]
    pub(super) notes: Vec<String>,
}

#[derive(Clone)]
pub(crate) struct Deps;

/// What the branches of an `each` work on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Item;

pub(super) fn open(_: &State) -> Update<Inner> {
    <Inner as graphwright::State>::update()
}

pub(super) fn open_item(_: &State, _: &Item) -> Update<Inner> {
    <Inner as graphwright::State>::update()
}

pub(super) fn close(inner: &Inner) -> NodeResult<State> {
    Ok(<State as graphwright::State>::update().notes(inner.notes.clone()))
}

/// The ways that a node or a router can choose, and the answers that a person can give.
pub(crate) trait Ways {
    type Way;
    const FIRST: Self::Way;
}

/// The graph, and the picture in its docs.
macro_rules! graph {
    ($(#[$attribute:meta])* $visibility:vis $name:ident $($rest:tt)*) => {
        graphwright::graph! { $(#[$attribute])* $visibility $name $($rest)* }

        impl crate::graphs::Drawn for $name {
            const PICTURE: &'static str = graphwright::__private::picture_macro! { graphwright; $visibility $name $($rest)* };
        }
    };
}

/// Nodes and routers by name.
/// ```text
/// plain a, b;                nodes
/// model c; tools d;          nodes of these roles
/// asking e;                  a model that may ask the user
/// plain f(Next, End);        a node that chooses its way
/// model g[item], h[item?];   a node in a branch of an `each`; one that stands outside, too
/// human i, j(Accept, Edit);  somebody is asked; the answer is a way
/// router k(Next, End);       decides by the state
/// guard l;                   yes or no
/// list m;                    the items of an `each`
/// set n(One, Other);         the branches of a `some`
/// sort o(One, Other);        decides by an item
/// ```
macro_rules! stubs {
    ($($kind:ident $($name:ident $([$($item:tt)+])? $(($($way:ident),+))?),+;)+) => {
        $($(stub! { $kind $name $([$($item)+])? $(($($way)+))? })+)+
    };
}

macro_rules! stub {
    (plain $($rest:tt)+) => { stub! { @node () $($rest)+ } };
    (model $($rest:tt)+) => { stub! { @node (model) $($rest)+ } };
    (asking $($rest:tt)+) => { stub! { @node (model, asks) $($rest)+ } };
    (tools $($rest:tt)+) => { stub! { @node (tools) $($rest)+ } };

    (@node ($($role:tt)*) $name:ident) => {
        #[graphwright::node($($role)*)]
        pub(crate) async fn $name(_: &State) -> graphwright::NodeResult<State> {
            Ok(<State as graphwright::State>::update().notes([stringify!($name)]))
        }
    };
    (@node ($($role:tt)*) $name:ident [item]) => {
        #[graphwright::node($($role)*)]
        pub(crate) async fn $name(_: &State, _: &Item) -> graphwright::NodeResult<State> {
            Ok(<State as graphwright::State>::update().notes([stringify!($name)]))
        }
    };
    (@node ($($role:tt)*) $name:ident [item?]) => {
        #[graphwright::node($($role)*)]
        pub(crate) async fn $name(_: &State, _: Option<&Item>) -> graphwright::NodeResult<State> {
            Ok(<State as graphwright::State>::update().notes([stringify!($name)]))
        }
    };
    (@node ($($role:tt)*) $name:ident ($($way:ident)+)) => {
        stub! { @ways $name $($way)+ }
        #[graphwright::node($($role)*)]
        pub(crate) async fn $name(_: &State) -> Result<(graphwright::Update<State>, <$name as Ways>::Way), graphwright::NodeError> {
            Ok((<State as graphwright::State>::update().notes([stringify!($name)]), <$name as Ways>::FIRST))
        }
    };

    (human $name:ident) => { stub! { @human $name String } };
    (human $name:ident ($($way:ident)+)) => {
        stub! { @ways $name $($way)+ }
        stub! { @human $name <$name as Ways>::Way }
    };
    (@human $name:ident $answer:ty) => {
        pub(crate) struct $name;
        #[graphwright::node]
        impl graphwright::Interrupt<State, Deps> for $name {
            type Question = String;
            type Answer = $answer;
            async fn ask(_: &State, _: &graphwright::Context<Deps>) -> Result<graphwright::Ask<Self>, graphwright::NodeError> {
                Ok(graphwright::Ask::question(stringify!($name).to_owned()))
            }
            fn resume(_: &State, asked: &String, _: graphwright::Answer<$answer>) -> graphwright::NodeResult<Self> {
                Ok(<State as graphwright::State>::update().notes([asked.clone()]))
            }
        }
    };

    (router $name:ident ($($way:ident)+)) => {
        stub! { @ways $name $($way)+ }
        #[graphwright::router]
        pub(crate) fn $name(_: &State) -> <$name as Ways>::Way {
            <$name as Ways>::FIRST
        }
    };
    (sort $name:ident ($($way:ident)+)) => {
        stub! { @ways $name $($way)+ }
        #[graphwright::router]
        pub(crate) fn $name(_: &Item) -> <$name as Ways>::Way {
            <$name as Ways>::FIRST
        }
    };
    (set $name:ident ($($way:ident)+)) => {
        stub! { @ways $name $($way)+ }
        #[graphwright::router]
        pub(crate) fn $name(_: &State) -> graphwright::Set<<$name as Ways>::Way> {
            [<$name as Ways>::FIRST].into()
        }
    };
    (guard $name:ident) => {
        #[graphwright::router]
        pub(crate) fn $name(state: &State) -> bool {
            state.notes.len() > 3
        }
    };
    (list $name:ident) => {
        #[graphwright::router]
        pub(crate) fn $name(_: &State) -> Vec<Item> {
            vec![Item]
        }
    };

    // In a block, so that the enum needs no name of its own.
    (@ways $name:ident $first:ident $($more:ident)*) => {
        const _: () = {
            #[allow(clippy::enum_variant_names)]
            #[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize, graphwright::Route)]
            pub enum Way {
                $first,
                $($more,)*
            }
            impl Ways for $name {
                type Way = Way;
                const FIRST: Way = Way::$first;
            }
        };
    };
}
