//! Generated code under every lint that a user may deny: rustc's that are off by default, and all of clippy's.
#![deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(
    absolute_paths_not_starting_with_crate,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    keyword_idents,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_abi,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    non_ascii_idents,
    non_local_definitions,
    redundant_imports,
    redundant_lifetimes,
    refining_impl_trait,
    single_use_lifetimes,
    trivial_bounds,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_code,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_parens,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes_without_reason,
    clippy::exhaustive_enums,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::panic,
    clippy::pattern_type_mismatch,
    clippy::question_mark_used,
    clippy::same_name_method,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_char_lifetime_names,
    clippy::std_instead_of_core,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]
// What is ours to write here, not the macros'.
#![allow(
    clippy::exhaustive_enums,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::pattern_type_mismatch,
    clippy::redundant_pub_crate,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "written by hand below: not what the macros write"
)]

/// Public, in full.
pub mod shown {
    use std::collections::BTreeMap;

    use graphwright::Set;
    use graphwright::agent::Conversation;
    use graphwright::prelude::*;

    fn longer(current: &str, given: String) -> String {
        if given.len() > current.len() { given } else { current.to_owned() }
    }

    /// A state.
    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    pub struct Order {
        #[state(append)]
        notes: Vec<String>,
        #[state(merge)]
        tags: BTreeMap<String, u64>,
        #[state(sum)]
        total: u64,
        #[state(max)]
        high: u64,
        #[state(with = longer)]
        title: String,
        #[state(per_turn)]
        rounds: u32,
        #[state(conversation)]
        talk: Conversation,
        draft: Option<String>,
    }

    /// Where to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Route)]
    pub enum Next {
        /// Once more.
        Again,
        /// Enough.
        Done,
    }

    /// What a manager says.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Route)]
    pub enum Decision {
        /// Yes.
        Approve,
        /// Otherwise.
        Edit(String),
    }

    /// A node.
    ///
    /// # Errors
    /// Never.
    #[node(model, asks)]
    pub async fn think(order: &Order, cx: &Context<u64>) -> NodeResult<Order> {
        Ok(Order::update().total(order.total + cx.deps()))
    }

    /// A node that says what it writes.
    #[node(writes(draft, talk))]
    #[must_use]
    pub fn draft(order: &Order) -> (Update<Order, draft>, Next) {
        (Order::update().draft(order.title.as_str()).talk("x"), Next::Done)
    }

    /// A node for any state.
    #[node]
    pub const fn nothing<S: State>(_: &S) {}

    /// A router.
    #[must_use]
    #[router]
    pub const fn next(order: &Order) -> Next {
        if order.rounds > 3 { Next::Done } else { Next::Again }
    }

    /// A guard.
    #[must_use]
    #[router]
    pub fn late(_: &Order, turn: &Turn) -> bool {
        turn.steps() > 10
    }

    /// An interrupt.
    #[derive(Clone, Copy, Debug)]
    pub struct Approve;

    #[node(writes(notes))]
    impl Interrupt<Order, u64> for Approve {
        type Question = u64;
        type Answer = Decision;
        async fn ask(order: &Order, _: &Context<u64>) -> Result<Ask<Self>, NodeError> {
            Ok(Ask::question(order.total))
        }
        fn resume(_: &Order, _: &u64, answer: Answer<Decision>) -> NodeResult<Self> {
            Ok(Order::update().notes([format!("{answer:?}")]))
        }
    }

    /// Which of them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Route)]
    pub enum Source {
        /// One.
        Web,
        /// The other.
        Files,
    }

    /// Some of them.
    #[must_use]
    #[router]
    pub fn sources(_: &Order) -> Set<Source> {
        [Source::Web].into()
    }

    /// Each of them.
    #[must_use]
    #[router]
    pub fn links(order: &Order) -> Vec<u64> {
        vec![order.total]
    }

    /// Takes one up.
    ///
    /// # Errors
    /// Never.
    #[node(writes(notes))]
    pub async fn follow(_: &Order, link: &u64) -> NodeResult<follow> {
        Ok(Order::update().notes([link.to_string()]))
    }

    /// Each of their names, which clippy wants to be taken as `&str`.
    #[must_use]
    #[router]
    pub fn names(order: &Order) -> Vec<String> {
        order.notes.clone()
    }

    /// Where it is.
    #[must_use]
    #[router]
    pub const fn place(name: &str) -> Source {
        if name.is_empty() { Source::Web } else { Source::Files }
    }

    /// Looks one up.
    #[node]
    pub const fn look_up(_: &Order, _name: &str) {}

    /// Each of some lists, which clippy wants to be taken as `&[u64]`.
    #[must_use]
    #[router]
    pub fn lists(order: &Order) -> Vec<Vec<u64>> {
        vec![vec![order.total]]
    }

    /// Adds up what there is.
    ///
    /// # Errors
    /// Never.
    #[node(writes(total))]
    pub fn add_up(_: &Order, list: Option<&[u64]>) -> NodeResult<add_up> {
        Ok(Order::update().total(list.unwrap_or_default().iter().sum::<u64>()))
    }

    /// Counts.
    ///
    /// # Errors
    /// Never.
    #[node(writes(total))]
    pub fn count(_: &Order) -> NodeResult<count> {
        Ok(Order::update().total(1_u64))
    }

    graph! {
        /// One after the other: a loop, a guard, a budget, a question.
        #[graph(version = 2, steps = 9)]
        pub Desk(Order, u64) {
            start -> draft;
            draft -> match { Again => draft at_most 3 else nothing, Done => Approve };
            Approve -> match { Approve => count, Edit | Declined => end refused, Cancelled => never };
            count -> nothing if late;
            count -> match next { Again => draft, Done => end };
            nothing -> end;
            draft: as "Draft";
        }
    }

    graph! {
        /// All at once, some, and one for each.
        #[derive(PartialEq, Eq)]
        pub Parallel(Order, u64) {
            start -> [nothing, again] -> some sources { Web => count, Files => other } -> each links { follow } -> end;
            again: nothing;
            other: count;
        }
    }

    graph! {
        /// Over parts of what the lists hold.
        pub Borrowed(Order, u64) {
            start -> each names match place { Web => look_up, Files => nothing } -> each lists { add_up } -> once;
            once -> end;
            once: add_up;
        }
    }

    graph! {
        /// One graph in another.
        pub Outer(Order, u64) {
            start -> inner -> match { end => nothing, refused => end };
            nothing -> end;
            inner: graph Desk;
        }
    }
}

mod hidden {
    use graphwright::prelude::*;

    /// Private, and with a private type in it.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    struct Part {
        n: u8,
    }

    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    pub(super) struct Order {
        part: Part,
        #[state(append)]
        parts: Vec<Part>,
    }

    #[derive(Route)]
    enum Next {
        Again,
    }

    #[derive(Clone, Debug, Serialize, Deserialize, Route)]
    enum Decision {
        Say(u8),
    }

    #[node]
    fn count(order: &Order) -> (Update<Order>, Next) {
        (Order::update().part(Part { n: order.part.n + 1 }), Next::Again)
    }

    #[router]
    fn next(order: &Order) -> Next {
        let _: &[Part] = &order.parts;
        Next::Again
    }

    #[derive(Debug)]
    struct Approve;

    #[node]
    impl Interrupt<Order, ()> for Approve {
        type Question = Decision;
        type Answer = Decision;
        async fn ask(_: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
            Ok(Ask::question(Decision::Say(1)))
        }
        fn resume(_: &Order, _: &Decision, answer: Answer<Decision>) -> NodeResult<Self> {
            if let Answer::Accepted(Decision::Say(n)) = answer { Ok(Order::update().part(Part { n })) } else { Ok(Order::update()) }
        }
    }

    #[node]
    const fn nothing(_: &Order) {}

    graph! {
        Desk(Order) {
            start -> count -> match { Again => Approve };
            Approve -> match { Say => [nothing, again] -> end, Declined | Cancelled => end };
            again: nothing;
        }
    }

    #[test]
    fn it_is_used() {
        fn stands<N: graphwright::Node<Order, ()>>() {}
        fn decides<R: graphwright::Router<Order>>() {}
        stands::<count>();
        stands::<Approve>();
        decides::<next>();
        assert_eq!(<Desk as graphwright::Graph>::TOPOLOGY.places.len(), 4);
        let (update, Next::Again) = count(&Order::default());
        let mut order = Order::default();
        update.apply_to(&mut order);
        assert_eq!(order.part.n, 1);
        assert!(format!("{Approve:?}").starts_with("Approve"));
    }
}

/// In a function body, where items are seen by less.
#[test]
fn a_function_may_hold_them() {
    use graphwright::prelude::*;

    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    struct Order {
        n: u64,
    }

    #[node]
    fn count(order: &Order) -> Update<Order> {
        Order::update().n(order.n + 1)
    }

    #[node]
    const fn nothing(_: &Order) {}

    graph! {
        /// In here.
        Desk(Order) { start -> count -> [one, two] -> end; one: nothing; two: nothing; }
    }

    let mut order = Order::default();
    count(&order).apply_to(&mut order);
    assert_eq!(order.n, 1);
    assert_eq!(<Desk as graphwright::Graph>::TOPOLOGY.exits, ["end"]);
}
