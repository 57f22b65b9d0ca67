//! What is nested deeply is refused before it can use up the stack.

use proc_macro2::Group;

use super::*;

/// As much as rustc gives to the thread that expands macros; a test has less.
const STACK: usize = 8 << 20;

/// The expansion of `start`, with that stack. An overflow ends the whole test run.
fn expanded_with_a_stack(graph: impl FnOnce() -> TokenStream + Send + 'static) -> String {
    let run = move || expanded(graph()).to_string();
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap()
}

/// The text in which every `HOLE` is what is given.
fn filled(text: TokenStream, hole: &TokenStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    for tree in text {
        match tree {
            TokenTree::Group(group) => tokens.extend([TokenTree::Group(Group::new(group.delimiter(), filled(group.stream(), hole)))]),
            TokenTree::Ident(word) if word == "HOLE" => tokens.extend(hole.clone()),
            other => tokens.extend([other]),
        }
    }
    tokens
}

fn parsed(text: &str) -> TokenStream {
    TokenStream::from_str(text).unwrap()
}

/// So often in itself, from the inside outwards: this must not overflow either.
fn nested(text: &str, depth: usize) -> TokenStream {
    let text = parsed(text);
    (0..depth).fold(parsed("b"), |inside, _| filled(text.clone(), &inside))
}

fn refused(frame: &'static str, text: &'static str, depth: usize) {
    let said = expanded_with_a_stack(move || filled(parsed(frame), &nested(text, depth)));
    let begins = said.get(..200).unwrap_or(&said);
    assert!(said.contains("GW039"), "{depth} times {text}: {begins}");
    assert_eq!(said.matches("compile_error").count(), 1, "{depth} times {text}: {begins}");
}

#[test]
fn brackets_matches_and_forks_in_each_other() {
    const FRAME: &str = "Desk(Mail) { start -> a; a -> HOLE; }";
    let forms = [
        "[HOLE]",
        "(HOLE)",
        "{ HOLE }",
        "match r { A => HOLE }",
        "match r { A => b, B => match { C => HOLE } }",
        "[b, HOLE] -> c",
        "[b -> HOLE]",
        "some r { A => HOLE } -> b",
        "each items { b -> HOLE -> c } -> d",
        "each items match r { A => HOLE } -> b",
        "c; #[cfg(HOLE)] b -> end",
    ];
    for form in forms {
        refused(FRAME, form, 40);
        refused(FRAME, form, 100_000);
        let read = expanded_with_a_stack(move || filled(parsed(FRAME), &nested(form, 15)));
        assert!(!read.contains("GW039"), "15 times {form}");
    }
}

#[test]
fn types_and_expressions_that_nest_without_a_bracket() {
    let forms = ["Vec<HOLE>", "&HOLE", "*const HOLE", "fn() -> HOLE", "Map<u8, HOLE>", "impl Fn(HOLE)"];
    for form in forms {
        for frame in
            ["Desk(HOLE) { start -> end; }", "Desk(Mail, HOLE) { start -> end; }", "#[graph(input = HOLE)] Desk(Mail) { start -> end; }"]
        {
            refused(frame, form, 161);
            refused(frame, form, 1_000);
        }
    }
    for form in ["!HOLE", "|| HOLE", "1 + HOLE", "if a {} else HOLE"] {
        for frame in ["#[doc = HOLE] Desk(Mail) { start -> end; }", "Desk(Mail) { #[doc = HOLE] start -> end; }"] {
            refused(frame, form, 161);
            refused(frame, form, 1_000);
        }
    }
}

/// As deep as is allowed, of what takes most of the stack.
#[test]
fn what_is_just_not_refused_is_read() {
    for (frame, form, depth) in [
        ("Desk(HOLE) { start -> end; }", "V<HOLE>", 50),
        ("Desk(HOLE) { start -> end; }", "&HOLE", 150),
        ("Desk(HOLE) { start -> end; }", "(HOLE,)", 30),
        ("#[doc = HOLE] Desk(Mail) { start -> end; }", "|| HOLE", 70),
        ("Desk(Mail) { start -> a; a -> HOLE; b -> end; }", "match r { A => HOLE }", 30),
        ("Desk(Mail) { start -> a; a -> HOLE -> end; b -> end; }", "[b, HOLE]", 30),
    ] {
        let said = expanded_with_a_stack(move || filled(parsed(frame), &nested(form, depth)));
        assert!(!said.contains("GW039") && said.contains("struct Desk"), "{depth} times {form}");
    }
}
