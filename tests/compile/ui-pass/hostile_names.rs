//! Names in scope that an expansion might stumble over.
#![deny(warnings)]

mod parts {
    use graphwright::prelude::*;

    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    pub struct State {
        text: String,
    }

    #[derive(Clone, Copy, Route)]
    pub enum Step {
        Some,
        None,
        Ok,
    }

    #[node]
    pub fn run(_: &State) -> Result<(Update<State>, Step), NodeError> {
        Ok((State::update(), Step::None))
    }

    #[node]
    pub fn last(_: &State) {}

    #[router]
    pub fn index(state: &State) -> bool {
        state.text.is_empty()
    }
}

mod hostile {
    #![allow(dead_code, non_camel_case_types, non_upper_case_globals)]

    use super::parts::{State, index, last, run};

    pub struct Context;
    struct At;
    struct Exit;
    struct Question;
    struct Next;
    struct Arm;
    struct Out;
    struct state;
    struct turn;
    struct cx;
    struct usize;
    struct u16;
    struct bool;
    struct str;
    const PLACES: u8 = 0;
    const WAYS: u8 = 0;
    const TOPOLOGY: u8 = 0;
    const patch: u8 = 0;
    const choice: u8 = 0;
    static error: u8 = 0;
    type Result<T> = ::std::option::Option<T>;
    enum Option {}
    mod core {}
    mod std {}
    trait Graph {
        fn run() {}
        fn next() {}
    }
    impl<T> Graph for T {}
    fn drop() {}
    fn start() {}

    graphwright::graph! {
        pub Some(State, Context) {
            start -> run;
            run -> match { Some => run at_most 3 else end, None | Ok => match index { true => at, false => end None } };
            at -> end if index;
            at -> r#end -> end;

            at: last;
            r#end: last;
        }
    }
}

fn main() {
    assert_eq!(<hostile::Some as graphwright::Graph>::TOPOLOGY.places.len(), 3);
}
