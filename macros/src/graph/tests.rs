//! The pipeline on tokens: what is understood, what is said, and that both are the same each time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod fuzz;
mod nested;
mod own;
mod sentences;
mod slips;
mod streams;

use std::str::FromStr;

use super::*;
use crate::nesting;

/// What is said of the statements of a graph, first lines only, and how many ways are understood.
fn said(statements: &str) -> (Vec<String>, usize) {
    said_of(&format!("pub Desk(Mail, Deps) {{ {statements} }}"))
}

fn said_of(graph: &str) -> (Vec<String>, usize) {
    let mut sink = Diagnostics::default();
    let Some(Written::Graph(graph)) = read(TokenStream::from_str(graph).unwrap(), &mut sink) else { return (texts(&sink), 0) };
    let options = options::read(&graph.attrs, &mut sink);
    let model = lower::lower(&graph, &mut sink);
    checks::check(&graph, &model, &options, &mut sink);
    (texts(&sink), model.ways.len())
}

fn texts(sink: &Diagnostics) -> Vec<String> {
    sink.texts().iter().map(|text| text.lines().next().unwrap().to_owned()).collect()
}

/// What the compiler gets of a graph without its door.
fn expanded(graph: TokenStream) -> TokenStream {
    expanded_for("compiler", graph)
}

fn expanded_for(face: &str, graph: TokenStream) -> TokenStream {
    let door = TokenStream::from_str(&format!("{face}; ::graphwright;")).unwrap();
    nesting::bounded(door.into_iter().chain(graph).collect(), expand)
}

/// What the parser alone says.
fn misread(graph: &str) -> Vec<String> {
    let mut sink = Diagnostics::default();
    read(TokenStream::from_str(graph).unwrap(), &mut sink);
    sink.texts()
}

#[track_caller]
fn fine(statements: &str, ways: usize) {
    assert_eq!(said(statements), (vec![], ways), "{statements}");
}

#[track_caller]
fn wrong(statements: &str, expected: &[&str], ways: usize) {
    assert_eq!(said(statements), (expected.iter().map(ToString::to_string).collect(), ways), "{statements}");
}

#[test]
fn the_sequential_forms_are_understood() {
    fine("start -> a; a -> b -> end;", 3);
    fine("start -> a; a | b -> c; c -> b if x; c -> end;", 5);
    fine("start -> match r { true => a, false => end }; a -> end nothing;", 3);
    fine("start -> a; a -> match r { A | B => b -> c, m::C => match s { X => a, Y => end }, _ => never }; c -> end;", 7);
    fine("start -> a; a -> match { A => a at_most 3 else end, #[cfg(x)] B => end };", 4);
    fine("start -> self::a; self::a -> crate::m::b -> ::m::r#match -> r#end -> end;", 5);
    fine("start -> again; again -> end; again: draft as \"Again\";", 2);
    fine("start -> a; a -> a at_most 2 else never; a: as \"A\";", 3);
    fine("#[cfg(x)] start -> a; #[cfg(not(x))] start -> b; a | b -> end;", 4);
}

#[test]
fn the_whole_grammar_is_read() {
    let read_only = [
        "start -> a -> [b, c -> d, #[cfg(x)] each items { e }, [f, g],] -> h at_most 2 else end;",
        "a -> some handoffs { Research => r -> s, Maths | Other => m } -> supervisor;",
        "a -> each agent::open_calls { tool_call -> settle } -> react at_most 8 else give_up;",
        "start -> each links match kind { A => a, B => b -> c } -> end;",
        "a -> match r { A => each items { b } -> c, B => [b, c] -> match s { X => end done, Y => never } };",
        "a -> b on error; a -> b on expiry; a | b -> c if m::ready;",
        "a: graph m::Researcher as \"R\", enter(open), exit(take), retry(3, backoff(500ms)), timeout(60s);",
        "b: expires(48h), at_once(8), cache(key, 10min), was(\"old\"); _: retry(3); c: m::c, as \"C\";",
        "a -> match { end => b, failed => end failed };",
    ];
    for statements in read_only {
        assert_eq!(misread(&format!("pub G(S, D) {{ {statements} }}")), Vec::<String>::new(), "{statements}");
    }
    let heads = [
        "G(S) {}",
        "pub(super) G(m::S<u8>, (A, B),) {}",
        "#[graph(endless, version = 3)] #[derive(PartialEq)] pub G<S: Has, D>(S, D) where S: Send {}",
    ];
    for head in heads {
        assert_eq!(misread(head), Vec::<String>::new(), "{head}");
    }
}

#[test]
fn forks_mounts_and_policies_are_understood() {
    // Into the fork, two branches, two arrivals, and on.
    fine("start -> a -> [b, c] -> d; d -> end; b: as \"B\";", 8);
    fine("start -> [a -> b, [c, d]] -> end;", 11);
    fine("start -> a -> some r { A => b, B | C => c -> d } -> a at_most 3 else end;", 9);
    fine("start -> each r { a } -> each r match k { A => b, B => c } -> match q { X => end, Y => d }; d -> end;", 11);
    fine("start -> a; a -> b on error; a -> end; b -> end;", 4);
    fine("start -> a; a -> match { end => end, odd => b }; b -> end; a: graph R, enter(f), exit(g), writes(x);", 4);
    fine(
        "start -> a; a -> end; a: retry(3, backoff(500ms, 10s)), timeout(60s), cache(key, 10min), was(\"b\"); _: retry(1), timeout(2h);",
        2,
    );
    fine("start -> a; a -> match { A => end, Declined | Cancelled => end }; a -> end on expiry; a: expires(7d);", 4);
    fine("start -> each r { a } -> end; a: at_once(8);", 4);
}

#[test]
fn what_is_wrong_with_forks_mounts_and_policies_is_said_once() {
    wrong("start -> [a, b] -> match { A => end };", &["behind a fork nothing has chosen that could be matched [GW025]"], 6);
    wrong("start -> some r { A => a, A => b } -> end;", &["`A` leads to `a` already [GW018]"], 6);
    wrong(
        "start -> a; a -> match r { end => end };",
        &["`end =>` stands for an exit of a mounted graph, and here none was left [GW025]"],
        2,
    );
    wrong("start -> a; start -> a on error; a -> end;", &["`start` has no way `on error` [GW007]"], 3);
    wrong("start -> a; a -> end; a -> a on error; a -> end on error;", &["`a` has a way `on error` already [GW012]"], 4);
    wrong("start -> a; a -> end; a: enter(f);", &["`enter(..)` is about a mounted graph, and `a` is none [GW023]"], 2);
    wrong(
        "start -> a; a -> end; a: graph R, enter(f);",
        &["`enter(..)` says how one state becomes the other, and nothing says the way back [GW023]"],
        2,
    );
    wrong("start -> a; a -> end; a: graph Desk;", &["`Desk` is mounted in itself, and would never begin [GW024]"], 2);
    wrong("start -> a; a -> end; a: retry(0);", &["`retry(..)` is not written like this [GW023]"], 2);
    wrong("start -> a; a -> end; a: retry(3), retry(4);", &["`retry(..)` of `a` is said twice [GW023]"], 2);
    wrong("start -> a; a -> end; a: rety(3);", &["there is no policy `rety(..)` [GW023]"], 2);
    wrong("start -> a; a -> end; a: timeout(5);", &["`5` is no duration [GW023]"], 2);
    wrong("start -> a; a -> end; _: was(\"b\");", &["`was(..)` is about one place, and `_` stands for all [GW023]"], 2);
    wrong(
        "start -> a; a -> end; a: at_once(2);",
        &["`at_once(..)` says how many branches run at once, and no branch begins with `a` [GW023]"],
        2,
    );
    wrong("start -> a; a -> b -> end; a: was(\"b\");", &["`b` is still a place of this graph, so nothing was renamed [GW028]"], 3);
    wrong("start -> a; a -> b -> end; a: was(\"c\"); b: was(\"c\");", &["two places say that they were `c` [GW028]"], 3);
    wrong(
        "start -> a; a -> match { A => end }; a: expires(1h);",
        &["the question of `a` expires, and nothing says where that leads [GW029]"],
        2,
    );
    wrong("start -> a; a -> end; a -> end on expiry;", &["the question of `a` never expires, so this way is never taken [GW029]"], 3);
}

#[test]
fn a_mistake_costs_its_own_statement_or_arm_only() {
    wrong("start -> a; a -> ; b -> end;", &["this `->` leads nowhere [GW002]"], 2);
    wrong("start -> a; a -> b c -> end; b -> c;", &["a `;` is missing behind this [GW003]"], 4);
    wrong("start -> a; a -> b | c -> end;", &["this `->` leads nowhere [GW002]"], 3);
    wrong("start -> a; a -> b: draft; b -> end;", &["this `->` leads nowhere [GW002]"], 2);
    wrong("start -> a; a -> m::; b -> end;", &["`m::` names nothing yet [GW004]"], 2);
    wrong("start -> a; a -> b, c; b -> end;", &["`,` cannot follow a target [GW001]"], 3);
    wrong("start -> a; a => end; b -> end;", &["`=>` stands in arms only [GW001]"], 2);
    wrong("start -> a; a -> type; b -> end;", &["`type` is a word of Rust, not the name of a place [GW004]"], 2);
    wrong("start -> a; a -> end as; b -> end;", &["`as` is a word of Rust, not the name of an exit [GW004]"], 2);
    wrong(
        "start -> a; a -> end type; a: writes(fn, x);",
        &["`type` is a word of Rust, not the name of an exit [GW004]", "`fn` is a word of Rust, not the name of a field [GW004]"],
        1,
    );
    wrong("start -> a; a -> match r { A => , B => end }", &["this `=>` leads nowhere [GW002]", "a `;` is missing behind this [GW003]"], 2);
    wrong("start -> a; a -> match r { A => b B => end }; b -> end;", &["a `,` is missing behind this arm [GW003]"], 4);
    wrong("start -> a; a -> match r { A => B => end };", &["this `=>` leads nowhere [GW002]"], 2);
    wrong(
        "start -> a; a -> match r { A -> b, B => todo!(), C => end };",
        &["`->` was not expected behind a label [GW001]", "`todo!()` is no place [GW002]"],
        2,
    );
}

#[test]
fn several_mistakes_are_said_at_once_each_once() {
    wrong(
        "start -> a; a -> b when c; b -> end; b -> a; a: as \"A\", as \"B\"; zebra: as \"Z\" b -> ;",
        &[
            "`when` is no word that can stand behind a target [GW005]",
            "a `;` is missing behind this [GW003]",
            "this `->` leads nowhere [GW002]",
            "`a` has a display name already [GW022]",
            "`b` has a way already that is always open, so this one is never taken [GW012]",
        ],
        4,
    );
}

#[test]
fn rules_of_one_graph_are_checked() {
    wrong("a -> end;", &["`Desk` does not say where it starts [GW011]"], 1);
    wrong("start -> a; start -> b; a | b -> end;", &["`Desk` starts already [GW012]"], 4);
    wrong(
        "start -> a; a -> end; a -> b if x; b -> end;",
        &["`a` has a way before this one that is always open, so this condition is never asked [GW013]"],
        4,
    );
    wrong("start -> a; a -> end if x;", &["`a` has ways with a condition only, and nothing says where it goes else [GW014]"], 2);
    wrong("start -> a; a -> end; end -> a;", &["no arrow leads out of `end` [GW015]"], 2);
    wrong("start -> a; a -> start;", &["no arrow leads back to `start` [GW016]"], 1);
    wrong("start -> a; a -> end -> a;", &["no arrow leads on from `end` [GW015]"], 1);
    wrong("start -> a; a -> never;", &["`a -> never` would fail each time [GW017]"], 2);
    wrong("start -> a; a -> match r { A => a, A => end };", &["`A` leads to `a` already [GW018]"], 3);
    wrong("start -> a; a -> match r { _ => a, A => end };", &["this arm is never taken: `_` above it takes everything [GW019]"], 3);
    wrong("start -> a::read -> c -> b::read; c: as \"C\";", &["`a::read` and `b::read` would both be the place `read` [GW020]"], 2);
    wrong("start -> a; a -> end; b: as \"B\";", &["no arrow of this graph mentions `b` [GW021]"], 2);
    wrong("start -> a; a -> end; a: x; a: y;", &["what `a` stands for is said twice [GW022]"], 2);
    wrong("start -> a; a -> a at_most 0 else end;", &["`at_most 0` never lets this arrow be taken [GW006]"], 3);
    wrong("start -> match { A => a }; a -> end;", &["`start` has chosen nothing that could be matched [GW025]"], 2);
    wrong("start -> a; a -> match r { A => match { B => end } };", &["inside an arm a `match` wants a router [GW025]"], 2);
    wrong(
        "start -> a; #[cfg(x)] a: draft; a -> end;",
        &["`a` stands for something only under this `#[cfg]`, but is in the graph without it too [GW027]"],
        2,
    );
}

#[test]
fn an_expansion_is_the_same_each_time_and_has_a_graph_even_after_a_mistake() {
    let graph = "compiler; $crate; pub Desk(Mail, Deps) { start -> a; a -> match r { A => b at_most 2 else end, B => }; b -> end odd; }";
    let tokens = || TokenStream::from_str(&graph.replace("$crate", "::graphwright")).unwrap();
    let expanded = expand(tokens()).to_string();
    assert_eq!(expanded, expand(tokens()).to_string());
    assert!(expanded.contains("compile_error"));
    assert!(expanded.contains("impl __rt :: Graph for Desk"));
    let file = syn::parse2::<syn::File>(expand(tokens())).expect("an expansion is Rust");
    assert!(!prettyplease::unparse(&file).is_empty());
}

#[test]
fn no_head_no_graph_but_one_clear_sentence() {
    assert_eq!(said_of("pub Desk { start -> a; }").0, ["the head of the graph is not complete: `(State, Deps)` is missing [GW010]"]);
    assert_eq!(said_of("pub Desk(Mail)").0, ["the head of the graph is not complete: `{ start -> .. }` is missing [GW010]"]);
    assert_eq!(said_of("A(S) { start -> end; } B(S) { start -> end; }").0, ["one `graph!` holds one graph [GW010]"]);
    assert_eq!(
        said_of("#[graph(versoin = 2, endless, endless)] A(S) { start -> end; }").0,
        ["`#[graph(..)]` has no `versoin` [GW009]", "`endless` is said twice [GW009]"]
    );
}

/// What could be drawn of it stands elsewhere.
#[cfg(feature = "diagrams")]
#[test]
fn the_docs_of_an_instance_lead_to_the_picture_of_its_graph() {
    for docs in ["", "/// One call.\n"] {
        let instance = TokenStream::from_str(&format!("{docs} pub Call = agent::ToolCall<Talk, Deps>;")).unwrap();
        let expansion = expanded(instance).to_string();
        assert!(expansion.contains("Its picture is in the docs of [`agent::ToolCall`](type@agent::ToolCall)."), "{expansion}");
    }
}
