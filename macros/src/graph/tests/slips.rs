//! Words of the grammar, each with a slip in it.

use super::*;

/// What is said of a graph, with what to write instead.
fn whole(graph: &str) -> Vec<String> {
    let mut sink = Diagnostics::default();
    if let Some(Written::Graph(graph)) = read(TokenStream::from_str(graph).unwrap(), &mut sink) {
        let options = options::read(&graph.attrs, &mut sink);
        let model = lower::lower(&graph, &mut sink);
        checks::check(&graph, &model, &options, &mut sink);
    }
    sink.texts()
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
        let said = whole(&format!("pub Desk(Mail, Deps) {{ {statements} }}"));
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
        let said = whole(&format!("#[graph({option})] pub Desk(Mail, Deps) {{ start -> a -> end; }}"));
        assert_eq!(said.len(), 1, "{option}: {said:?}");
        assert!(said.iter().all(|text| text.contains(&format!("did you mean `{word}`?"))), "{option}: {said:?}");
    }
}
