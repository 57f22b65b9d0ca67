//! Our own graphs, in the shapes that people write: cut off anywhere they are read, and expanded again they are the same.

use std::process::Command;

use proc_macro2::{Group, Ident, Span};

use super::*;

/// Each of another shape.
const GRAPHS: &[&str] = &[
    "/// A straight line.\npub Line(Mail) { start -> read -> sort -> answer -> end; }",
    "#[graph(version = 3, steps = 50)] pub(crate) Loop(Mail, Deps) { start -> draft; draft -> match verdict { TooShort => draft at_most 8 else give_up, Good => end }; give_up -> end unfinished; }",
    "pub Agent(Talk, Deps) { start -> react; react -> elicitation if ask_user_pending; react -> match next { Tools => tools, Finish => end }; elicitation -> react; tools -> react; }",
    "Desk(Order) { start -> Approve; Approve -> match { Approve => refund, Edit | Reject => again, Declined => end refused, Cancelled => end }; again: Approve as \"Ask again\"; again -> match { _ => refund }; refund -> end; }",
    "Team(Task, Deps) { start -> supervisor; supervisor -> some handoffs { Research => research -> check, Maths | Other => solve } -> supervisor at_most 8 else end; research: graph m::Researcher, enter(open), exit(take); }",
    "Map(Links) { start -> each links match kind { Page => fetch -> clean, Picture => look } -> join; join -> [store, tell -> wait] -> end; fetch: retry(3, backoff(500ms)), timeout(60s), at_once(8); }",
    "Nested(Job) { start -> [a, [b, c -> d], each items { e }] -> f; f -> match r { A => [g, h] -> i, B => match s { X => end done, Y => never } }; i -> end; }",
    "Careful(Job) { start -> work; work -> report on error; work -> work at_most 2 else report if flaky; work -> end; report -> end failed; _: retry(3); }",
    "Waits(Form) { start -> form; form: expires(48h), was(\"old_form\"); form -> remind on expiry; form -> match { Accepted => end, Declined | Cancelled => end given_up }; remind -> form; }",
    "Ways(m::State<u8>, (A, B),) { #[cfg(x)] start -> self::a; #[cfg(not(x))] start -> ::m::b; a | b -> crate::c -> r#end -> end; _: timeout(5s); b: as \"B\"; }",
    "Generic<S: Has<T>, D>(S, D) where S: Send { start -> match pick { true => a, false => b }; a | b -> end; }",
];

fn own() -> impl Iterator<Item = TokenStream> {
    GRAPHS.iter().map(|graph| TokenStream::from_str(graph).unwrap())
}

/// The stream up to each of its tokens, then `tail`, with the brackets closed that are open there: what an editor sees while
/// somebody types.
fn prefixes(tokens: &TokenStream, tail: &TokenStream) -> Vec<TokenStream> {
    let with = |before: &TokenStream, more: TokenStream| before.clone().into_iter().chain(more).collect::<TokenStream>();
    let mut before = TokenStream::new();
    let mut all = vec![tail.clone()];
    for tree in tokens.clone() {
        if let TokenTree::Group(group) = &tree {
            let inside = prefixes(&group.stream(), tail).into_iter();
            all.extend(inside.map(|inside| with(&before, TokenTree::Group(Group::new(group.delimiter(), inside)).into())));
        }
        before.extend([tree]);
        all.push(with(&before, tail.clone()));
    }
    all
}

#[test]
fn every_graph_is_read_as_it_stands() {
    for graph in GRAPHS {
        assert_eq!(misread(graph), Vec::<String>::new(), "{graph}");
    }
}

#[test]
fn every_beginning_of_every_graph_is_read() {
    // An editor puts a word where the cursor is.
    let tails = [TokenStream::new(), TokenTree::Ident(Ident::new("cursor", Span::call_site())).into()];
    let mut count = 0;
    for (graph, tail) in own().flat_map(|graph| tails.iter().map(move |tail| (graph.clone(), tail))) {
        let prefixes = prefixes(&graph, tail);
        count += prefixes.len();
        prefixes.into_iter().map(expanded).for_each(drop);
    }
    assert!(count > 1_000, "only {count} beginnings were tried");
}

/// All expansions for both faces, one a line.
fn expansions() -> String {
    let both = own().flat_map(|graph| ["compiler", "editor"].map(|face| expanded_for(face, graph.clone())));
    both.map(|expansion| expansion.to_string().replace('\n', " ") + "\n").collect()
}

const MARK: &str = "printed by this process:";

/// What the test of that name prints behind the mark, in a process of its own.
fn elsewhere(test: &str) -> String {
    let name = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
    let output = Command::new(std::env::current_exe().unwrap()).args(["--exact", &name, "--nocapture"]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let printed = printed.split_once(&format!("{MARK}\n")).unwrap_or_else(|| panic!("{name} printed no more than {printed}")).1;
    printed.split_once(&format!("\n{MARK}")).unwrap().0.to_owned()
}

fn print(text: &str) {
    println!("{MARK}\n{text}\n{MARK}");
}

#[test]
fn the_expansions_are_the_same_within_a_process() {
    let first = expansions();
    assert!(first.matches("impl __rt :: Graph").count() >= 2 * (GRAPHS.len() - 1), "these are no expansions: {first}");
    assert_eq!(first, expansions());
    print(&first);
}

#[test]
fn the_expansions_are_the_same_in_another_process() {
    let same = elsewhere("the_expansions_are_the_same_within_a_process") == expansions();
    assert!(same, "another process expands otherwise");
}

/// What the two tests above would find out: words in the order of their hashes.
#[test]
#[allow(clippy::disallowed_types, reason = "planted")]
fn planted() {
    let words: std::collections::HashSet<u32> = (0..100).collect();
    print(&format!("{words:?}"));
}

#[test]
fn an_order_of_hashes_is_another_in_each_process() {
    assert_ne!(elsewhere("planted"), elsewhere("planted"));
}
