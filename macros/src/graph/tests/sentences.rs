//! Sentences of the grammar of `graph!`, rule by rule as DESIGN states it.

use proc_macro2::Delimiter::{Brace, Bracket, Parenthesis};

use super::streams::{Choices, Tree};

type Trees = Vec<Tree>;

/// `[ cfg ] head { statement ; .. }`
pub(super) fn graph(choices: &mut Choices<'_>) -> Trees {
    let mut out = words(choices.one(&["", "pub", "pub crate"]));
    if out.len() > 1 {
        out = vec![Tree::Token("pub"), Tree::Group(Parenthesis, words("crate"))];
    }
    if choices.once_in(4) {
        let options = choices.one(&["version = 3 , endless", "steps = 7 , input = Mail", "allow", "output = m :: Reply"]);
        let mut options = words(options);
        if options.len() == 1 {
            options.push(Tree::Group(Parenthesis, words("unreachable_place")));
        }
        let attr = vec![Tree::Token("graph"), Tree::Group(Parenthesis, options)];
        out.splice(0..0, [Tree::Token("#"), Tree::Group(Bracket, attr)]);
    }
    out.extend(words("Desk"));
    out.extend(words(choices.one(&["", "", "< S : Has , D >"])));
    out.push(Tree::Group(Parenthesis, words(choices.one(&["Mail", "Mail , Deps", "m :: Mail < u8 > , & 'x Deps ,"]))));
    let mut body = words("start -> a ;");
    for _ in 0..choices.below(8) {
        statement(choices, &mut body);
        body.extend(words(";"));
    }
    out.push(Tree::Group(Brace, body));
    out
}

fn words(text: &'static str) -> Trees {
    text.split_whitespace().map(Tree::Token).collect()
}

fn statement(choices: &mut Choices<'_>, out: &mut Trees) {
    cfg(choices, out);
    if choices.once_in(4) {
        return facts(choices, out);
    }
    path(choices, out);
    while choices.once_in(5) {
        out.extend(words("|"));
        path(choices, out);
    }
    out.extend(words("->"));
    if choices.once_in(4) {
        goal(choices, out);
        out.extend(words(choices.one(&["if ready", "if m :: ready", "on error", "on expiry"])));
    } else {
        way(choices, out, 0);
    }
}

fn way(choices: &mut Choices<'_>, out: &mut Trees, depth: usize) {
    while choices.once_in(3) {
        step(choices, out, depth);
        out.extend(words("->"));
    }
    if depth < 5 && choices.once_in(4) {
        out.extend(words("match"));
        if !choices.once_in(3) {
            path(choices, out);
        }
        let mut arms = Vec::new();
        for _ in 0..=choices.below(4) {
            arm(choices, &mut arms);
            way(choices, &mut arms, depth + 1);
            arms.extend(words(","));
        }
        out.push(Tree::Group(Brace, arms));
    } else {
        goal(choices, out);
    }
}

fn goal(choices: &mut Choices<'_>, out: &mut Trees) {
    target(choices, out);
    if choices.once_in(5) {
        out.extend(words("at_most 3 else"));
        target(choices, out);
    }
}

fn target(choices: &mut Choices<'_>, out: &mut Trees) {
    match choices.below(5) {
        1 => out.extend(words("end")),
        2 => out.extend(words("end done")),
        3 => out.extend(words("never")),
        _ => path(choices, out),
    }
}

fn step(choices: &mut Choices<'_>, out: &mut Trees, depth: usize) {
    if depth < 5 && choices.once_in(3) { fork(choices, out, depth + 1) } else { path(choices, out) }
}

fn fork(choices: &mut Choices<'_>, out: &mut Trees, depth: usize) {
    let mut inside = Vec::new();
    match choices.below(4) {
        0 => {
            for _ in 0..=choices.below(4) {
                cfg(choices, &mut inside);
                branch(choices, &mut inside, depth);
                inside.extend(words(","));
            }
            out.push(Tree::Group(Bracket, inside));
        }
        1 => {
            out.extend(words("each"));
            path(choices, out);
            branch(choices, &mut inside, depth);
            out.push(Tree::Group(Brace, inside));
        }
        kind => {
            out.extend(words(if kind == 2 { "some" } else { "each" }));
            path(choices, out);
            if kind == 3 {
                out.extend(words("match"));
                path(choices, out);
            }
            for _ in 0..=choices.below(4) {
                arm(choices, &mut inside);
                branch(choices, &mut inside, depth);
                inside.extend(words(","));
            }
            out.push(Tree::Group(Brace, inside));
        }
    }
}

fn branch(choices: &mut Choices<'_>, out: &mut Trees, depth: usize) {
    step(choices, out, depth);
    while choices.once_in(3) {
        out.extend(words("->"));
        step(choices, out, depth);
    }
}

/// `[ cfg ] A | B =>`
fn arm(choices: &mut Choices<'_>, out: &mut Trees) {
    cfg(choices, out);
    out.extend(words(choices.one(&["A", "m :: B | C", "true", "false", "end", "_"])));
    out.extend(words("=>"));
}

fn cfg(choices: &mut Choices<'_>, out: &mut Trees) {
    if choices.once_in(8) {
        let cfg = vec![Tree::Token("cfg"), Tree::Group(Parenthesis, words("x"))];
        out.extend([Tree::Token("#"), Tree::Group(Bracket, cfg)]);
    }
}

fn path(choices: &mut Choices<'_>, out: &mut Trees) {
    out.extend(words(choices.one(&["a", "b", "c", "d", "e", "m :: f", "self :: g", ":: m :: h", "r#end", "crate :: i"])));
}

fn facts(choices: &mut Choices<'_>, out: &mut Trees) {
    out.extend(words(choices.one(&["a", "b", "again", "_"])));
    out.extend(words(":"));
    loop {
        match choices.below(4) {
            0 => out.extend(words("as \"T\"")),
            1 => {
                let (word, inside) = choices.one(&[
                    ("retry", "3"),
                    ("timeout", "500ms"),
                    ("expires", "48h"),
                    ("cache", "m :: key , 7d"),
                    ("at_once", "8"),
                    ("was", "\"old\""),
                    ("enter", "open"),
                    ("exit", "m :: take"),
                    ("writes", "a , r#type"),
                ]);
                out.extend([Tree::Token(word), Tree::Group(Parenthesis, words(inside))]);
            }
            2 => out.extend(words(choices.one(&["draft", "m :: draft as \"D\""]))),
            _ => out.extend(words(choices.one(&["graph Inner", "graph m :: Inner"]))),
        }
        if !choices.once_in(3) {
            return;
        }
        out.extend(words(","));
    }
}
