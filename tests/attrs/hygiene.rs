//! Names that a careless expansion would trip over.

use graphwright::{Context, Node, NodeMeta, RouterMeta, Turn};

/// A state whose name and fields are those of generated code.
#[allow(non_snake_case)]
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, graphwright::State)]
pub struct N {
    r#type: bool,
    f: u8,
    self_: u8,
    update: u8,
    value: u8,
    patch: u8,
    given: Option<String>,
    #[state(append)]
    clone: Vec<String>,
    by: u8,
    default: u8,
    fmt: u8,
    into: String,
    widen: u8,
    S: u8,
    N: u8,
}

#[test]
fn every_name_is_only_a_name() {
    let update: graphwright::Update<N> = N::update()
        .r#type(true)
        .f(1)
        .self_(2)
        .update(3)
        .value(4)
        .patch(5)
        .given("g")
        .clone(["c"])
        .by(6)
        .default(7)
        .fmt(8)
        .into("i")
        .widen(9)
        .S(10)
        .N(11);
    let row = serde_json::to_value(&update).unwrap();
    assert_eq!(row["type"], true);
    let mut state = N::default();
    update.apply_to(&mut state);
    assert_eq!((state.r#type, state.f, state.N), (true, 1, 11));
    assert_eq!(<N as graphwright::State>::FIELDS[0].name, "type");
}

#[graphwright::node(writes(r#type, f))]
fn r#match(state: &N) -> graphwright::Update<N, r#match> {
    N::update().r#type(!state.r#type).f(1)
}

#[graphwright::node]
async fn state(state: &N, cx: &Context<u8>) -> graphwright::Update<N> {
    let _ = state;
    N::update().f(*cx.deps())
}

#[graphwright::router]
fn turn(turn: &N, state: &Turn) -> bool {
    let _ = state;
    turn.r#type
}

#[test]
fn raw_names_are_told_without_their_marks() {
    assert_eq!(<r#match as NodeMeta>::NAME, "match");
    assert_eq!(<state as NodeMeta>::NAME, "state");
    assert_eq!(<turn as RouterMeta>::NAME, "turn");
    let fields = <r#match as Node<N, ()>>::WRITES;
    assert!(fields.is_declared() && fields.has(0) && fields.has(1) && !fields.has(2));
}

/// Everything that generated code takes for granted means something else here, and nothing is imported.
#[allow(non_camel_case_types, dead_code, missing_docs)]
mod elsewhere {
    pub struct Option;
    pub struct Result;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct String;
    pub struct Vec;
    pub trait Clone {}
    pub trait Default {}
    pub trait Into {}
    pub trait From {}
    pub trait Send {}
    pub trait Future {}
    pub mod core {}
    pub mod std {}
    pub mod serde {}

    #[no_implicit_prelude]
    mod inside {
        #[allow(unused_imports)]
        use super::*;

        #[derive(
            ::std::clone::Clone, ::std::fmt::Debug, ::std::default::Default, ::serde::Serialize, ::serde::Deserialize, ::graphwright::State,
        )]
        pub struct State {
            #[state(append)]
            list: ::std::vec::Vec<::std::string::String>,
            one: ::std::option::Option<u8>,
            #[state(conversation)]
            talk: ::graphwright::agent::Conversation,
        }

        #[::graphwright::node(writes(one))]
        async fn one(state: &State) -> ::graphwright::NodeResult<one> {
            ::std::result::Result::Ok(State::update().one(state.one))
        }

        #[::graphwright::router]
        fn route(_: &State) -> Next {
            Next::Again
        }

        #[derive(::graphwright::Route)]
        enum Next {
            Again,
            Data { of: u8 },
        }

        struct Ask;

        #[::graphwright::node]
        impl ::graphwright::Interrupt<State, ()> for Ask {
            type Question = u8;
            type Answer = u8;
            async fn ask(
                _: &State,
                _: &::graphwright::Context<()>,
            ) -> ::std::result::Result<::graphwright::Ask<Self>, ::graphwright::NodeError> {
                ::std::result::Result::Ok(::graphwright::Ask::question(1))
            }
            fn resume(_: &State, _: &u8, _: ::graphwright::Answer<u8>) -> ::graphwright::NodeResult<Self> {
                ::std::result::Result::Ok(State::update())
            }
        }
    }
}

/// The crate under another name.
mod renamed {
    use graphwright as gw;

    #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize, gw::State)]
    #[state(crate = gw)]
    struct Order {
        n: u8,
    }

    #[derive(gw::Route)]
    #[route(crate = gw)]
    enum Next {
        Again,
    }

    #[gw::node(crate = gw)]
    fn count(order: &Order) -> gw::Update<Order> {
        Order::update().n(order.n + 1)
    }

    #[gw::router(crate = gw)]
    fn next(_: &Order) -> Next {
        Next::Again
    }

    #[test]
    fn it_works_under_another_name() {
        let mut order = Order::default();
        count(&order).apply_to(&mut order);
        assert_eq!(order.n, 1);
        assert!(matches!(next(&order), Next::Again));
    }
}

/// What is configured out is gone with everything that was added to it.
mod configured {
    use graphwright::prelude::*;

    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    struct Order {
        n: u8,
        #[cfg(any())]
        gone: Gone,
    }

    #[node]
    #[cfg(any())]
    fn gone(order: &Gone) {}

    #[router]
    #[cfg(any())]
    fn way(order: &Gone) -> bool {}

    #[derive(Route)]
    enum Next {
        Again,
        #[cfg(any())]
        Gone,
    }

    #[test]
    fn the_rest_is_there() {
        let update: Update<Order> = Order::update().n(1);
        let mut order = Order::default();
        update.apply_to(&mut order);
        assert_eq!(<Order as State>::FIELDS.len(), 1);
        assert!(matches!((order.n, Next::Again), (1, Next::Again)));
    }
}
