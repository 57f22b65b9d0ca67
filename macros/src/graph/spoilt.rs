//! Whatever is written into `graph!`, what is said of it is a sentence of ours: with a code, and with what to write instead.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::str::FromStr;

use proc_macro2::{Group, TokenStream, TokenTree};

use super::*;

const GRAPHS: &[&str] = &[
    "#[graph(version = 3, steps = 9, endless, input = A, output = B, allow(unreachable_place), deny(wildcard_label))] \
     pub Desk<D: Has>(m::S<u8>, D) where D: Send { \
     #[cfg(x)] start -> a -> [b -> c, each list { d }, #[cfg(x)] some set { A | B => e, C => f -> g }] -> h at_most 3 else end; \
     h -> b if m::ready; h -> match next { A => j -> k at_most 2 else never, m::B => match s { true => end done, false => l } }; \
     k -> match { end => l, odd => end }; b -> c on error; l -> end on expiry; \
     l | m::i -> each list match kind { A => d, B => e } -> match r { A => end }; \
     j: m::j as \"J\", retry(3, backoff(500ms, 30s)), timeout(60s); k: graph R as \"R\", enter(f), exit(m::g), writes(x, y); \
     l: expires(48h); d: at_once(8), cache(key, 10min), was(\"old\"); _: retry(3); c: as \"C\"; }",
    "pub Support = m::React<Ticket, Deps>;",
];

/// Every graph that differs from this one by a token: one less, one twice, or another one in its place.
fn spoilt(tokens: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let others: Vec<TokenTree> = TokenStream::from_str("x , ; {} () -> 3 match").unwrap().into_iter().collect();
    let with = |at: usize, instead: Vec<TokenTree>| -> TokenStream {
        trees.iter().take(at).cloned().chain(instead).chain(trees.iter().skip(at + 1).cloned()).collect()
    };
    let mut all = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        all.push(with(at, vec![]));
        all.push(with(at, vec![tree.clone(), tree.clone()]));
        for other in &others {
            all.push(with(at, vec![other.clone()]));
            all.push(with(at, vec![other.clone(), tree.clone()]));
        }
        if let TokenTree::Group(group) = tree {
            all.extend(spoilt(&group.stream()).into_iter().map(|inner| with(at, vec![Group::new(group.delimiter(), inner).into()])));
        }
    }
    all
}

/// What is said of a graph before anything is made of it.
fn said(tokens: TokenStream) -> Vec<String> {
    let mut sink = Diagnostics::default();
    if let Some(Written::Graph(graph)) = read(tokens, &mut sink) {
        let options = options::read(&graph.attrs, &mut sink);
        let model = lower::lower(&graph, &mut sink);
        checks::check(&graph, &model, &options, &mut sink);
    }
    sink.texts()
}

#[test]
fn every_mistake_has_a_code_and_a_cure() {
    let (mut mistakes, mut bare) = (0, BTreeSet::new());
    for graph in GRAPHS {
        assert_eq!(said(TokenStream::from_str(graph).unwrap()), Vec::<String>::new());
        for tokens in spoilt(&TokenStream::from_str(graph).unwrap()) {
            let text = tokens.to_string();
            let found = said(tokens);
            mistakes += found.len();
            bare.extend(found.into_iter().filter(|said| !said.contains("]\nhelp: ")).map(|said| format!("{said}, of {text}")));
        }
    }
    assert!(mistakes > 5_000, "{mistakes} mistakes were found in spoilt graphs");
    assert!(bare.is_empty(), "{} without a code:\n{}", bare.len(), bare.into_iter().take(20).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_slip_in_a_word_is_one_mistake_that_names_the_word() {
    let slips = [
        ("strat -> a; a -> end;", "start"),
        ("start -> a; a -> edn;", "end"),
        ("start -> a; a -> match r { A => end, B => nevr };", "never"),
        ("start -> a; a -> mathc r { A => b } b -> end;", "match"),
        ("start -> a; a -> mach { A => end };", "match"),
        ("start -> [a, eahc r { b }] -> end;", "each"),
        ("start -> somee r { A => b -> c } -> end;", "some"),
        ("start -> each r mathc k { A => b } -> end;", "match"),
        ("start -> a; a -> a at_mots 3 else end;", "at_most"),
        ("start -> a; a -> a at_most 3 els end;", "else"),
        ("start -> a; a -> end iff r; a -> a;", "if"),
        ("start -> a; a -> b onn error; a | b -> end;", "on"),
        ("start -> a; a -> b on eror; a | b -> end;", "error"),
        ("start -> a; a -> b on expiri; a | b -> end;", "expiry"),
        ("start -> a; a -> end; a: grpah Other, enter(f), exit(g);", "graph"),
        ("start -> a; a -> end; a: sa \"A\";", "as"),
        ("start -> a; a -> end; a: b sa \"A\";", "as"),
        ("start -> a; a -> end; a: graph R, entr(f);", "enter"),
        ("start -> a; a -> end; a: graph R, exti(f);", "exit"),
        ("start -> a; a -> end; a: rtry(3);", "retry"),
        ("start -> a; a -> end; a: retry(3, backof(1s));", "backoff"),
        ("start -> a; a -> end; a: timout(3s);", "timeout"),
        ("start -> a; a -> end; a: expire(3s);", "expires"),
        ("start -> a; a -> end; a: at_onec(3);", "at_once"),
        ("start -> a; a -> end; a: cahce(key, 3s);", "cache"),
        ("start -> a; a -> end; a: wsa(\"b\");", "was"),
        ("start -> a; a -> end; a: graph R, wirtes(b);", "writes"),
    ];
    for (statements, word) in slips {
        let said = said(TokenStream::from_str(&format!("pub Desk(Mail, Deps) {{ {statements} }}")).unwrap());
        assert_eq!(said.len(), 1, "{statements}: {said:?}");
        assert!(said.iter().all(|text| text.contains(&format!("did you mean `{word}`?"))), "{statements}: {said:?}");
    }
    let options = [
        "verison = 2|version",
        "stpes = 2|steps",
        "endles|endless",
        "inptu = A|input",
        "ouput = A|output",
        "alow(unreachable_place)|allow",
    ];
    let lints = ["allow(unreachable_plce)|unreachable_place", "deny(wildcard_lable)|wildcard_label", "dney(wildcard_label)|deny"];
    for slip in options.into_iter().chain(lints) {
        let (option, word) = slip.split_once('|').unwrap();
        let said = said(TokenStream::from_str(&format!("#[graph({option})] pub Desk(Mail, Deps) {{ start -> a -> end; }}")).unwrap());
        assert_eq!(said.len(), 1, "{option}: {said:?}");
        assert!(said.iter().all(|text| text.contains(&format!("did you mean `{word}`?"))), "{option}: {said:?}");
    }
}
