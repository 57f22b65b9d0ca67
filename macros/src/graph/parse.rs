//! Reads the grammar. Whatever can be understood is kept; what cannot is said once, and a hole stands in its place.

use proc_macro2::{Ident, Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{LitBool, LitInt, Path, Token, braced, token};

use super::parse_facts::facts;
use super::parse_fork::{at_fork, fork};
use super::recover;
use super::syntax::{
    About, Arm, Arms, Budget, Choice, Condition, Extent, Goal, Label, Last, Source, Statement, Step, Target, Way, Ways, path_extent,
};
use super::words::{at_path, cfgs, found, is, misspelt, named, path, spanned, unexpected, word};
use crate::diagnostics::Diagnostics;
use crate::messages;

/// The last token of what was read, where a missing `;` or `,` is reported; `None` if its end was reported already.
pub(crate) type End = Option<Span>;

/// One statement, without its `;`.
pub(crate) fn statement(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<(Statement, End)> {
    let cfgs = cfgs(input, sink)?;
    if input.peek(Token![_]) {
        let all: Token![_] = input.parse()?;
        if !input.peek(Token![:]) {
            return Err(unexpected(input, "behind `_`", "a policy of all places: `_: retry(3);`"));
        }
        input.parse::<Token![:]>()?;
        return facts(input, sink, cfgs, About::All(all));
    }
    if at_facts(input) {
        let path = path(input, sink)?;
        input.parse::<Token![:]>()?;
        let segments = path.as_ref().map_or(0, |p| p.segments.len());
        let Some(name) = path.and_then(|p| p.segments.into_iter().next_back()).map(|s| s.ident) else {
            return Err(syn::Error::new(input.span(), messages::fact_of_path()));
        };
        if segments > 1 {
            sink.error(name.span(), messages::fact_of_path());
        }
        return facts(input, sink, cfgs, About::Name(name));
    }
    if input.peek(token::Bracket) {
        return Err(syn::Error::new(input.span(), messages::fork_first()));
    }
    let sources = sources(input, sink)?;
    if input.peek(Token![=>]) {
        let fat: Token![=>] = input.parse()?;
        return Err(spanned(fat, &messages::fat_arrow()));
    }
    if !input.peek(Token![->]) {
        return Err(unexpected(input, "here", "an arrow, `a -> b;`, or a fact, `a: as \"A\";`"));
    }
    let arrow: Token![->] = input.parse()?;
    let (way, end) = way(input, sink, arrow.into(), "->")?;
    let (condition, end) = condition(input, sink, &way, end)?;
    Ok((Statement::Ways(Ways { cfgs, sources, arrow, way, condition }), end))
}

/// Whether what follows can only be the beginning of a statement: then a `;` is missing before it.
pub(crate) fn at_statement(input: ParseStream<'_>) -> bool {
    if input.peek(Token![#]) {
        return true;
    }
    let ahead = input.fork();
    if ahead.peek(Token![_]) {
        return ahead.parse::<Token![_]>().is_ok() && ahead.peek(Token![:]);
    }
    let mut quiet = Diagnostics::default();
    loop {
        if !matches!(path(&ahead, &mut quiet), Ok(Some(_))) {
            return false;
        }
        if ahead.peek(Token![->]) || ahead.peek(Token![:]) {
            return true;
        }
        if ahead.parse::<Token![|]>().is_err() {
            return false;
        }
    }
}

fn at_facts(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    matches!(path(&ahead, &mut Diagnostics::default()), Ok(Some(_))) && ahead.peek(Token![:])
}

fn sources(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Vec<Source>> {
    let mut sources = Vec::new();
    loop {
        if let Some(word) = word(input, "start") {
            sources.push(Source::Start(word));
        } else if let Some(word) = word(input, "end") {
            sources.push(Source::End(word));
        } else if at_path(input) {
            sources.extend(path(input, sink)?.map(Source::Place));
        } else {
            return Err(unexpected(input, "here", "a place and an arrow: `a -> b;`"));
        }
        if !input.peek(Token![|]) {
            return Ok(sources);
        }
        input.parse::<Token![|]>()?;
    }
}

/// What stands behind an arrow. `arrow` is where a missing target is reported.
fn way(input: ParseStream<'_>, sink: &mut Diagnostics, mut arrow: Extent, written: &str) -> syn::Result<(Way, End)> {
    let mut steps = Vec::new();
    let mut written = written.to_owned();
    loop {
        if input.peek(Token![match]) {
            let choice = choice(input, sink)?;
            let end = Some(choice.arms.braces);
            return Ok((Way { steps, last: Last::Choice(choice) }, end));
        }
        let (step, end) = if at_fork(input) {
            let fork = fork(input, sink)?;
            if !input.peek(Token![->]) {
                sink.error(fork.extent.first, messages::no_fork_target());
                return Ok((Way { steps, last: Last::Goal(Goal { target: Target::Hole, budget: None }) }, None));
            }
            (Step::Fork(fork), None)
        } else {
            let target = target(input, sink, arrow, &written)?;
            if let Target::Place(path) = &target {
                step_word(path, input)?;
            }
            if !input.peek(Token![->]) {
                let budget = budget(input, sink)?;
                let end = budget.as_ref().map_or(&target, |b| &b.target).extent().map(|e| e.last);
                return Ok((Way { steps, last: Last::Goal(Goal { target, budget }) }, end));
            }
            match target {
                Target::Place(path) => (Step::Place(path), None),
                Target::End(word, _) | Target::Never(word) => (Step::Hole, Some(word)),
                Target::Hole => (Step::Hole, None),
            }
        };
        let next: Token![->] = input.parse()?;
        if let Some(word) = end {
            sink.error_spanned(next, messages::after_the_last(&word.to_string()));
        }
        arrow = next.into();
        "->".clone_into(&mut written);
        steps.push((step, next));
    }
}

/// `mathc next { .. }`: nearly a word of the grammar, with behind it what stands behind that one.
pub(super) fn step_word(path: &Path, input: ParseStream<'_>) -> syn::Result<()> {
    let another = at_statement(input) || at_arm(input) || messages::WAY_WORDS.iter().any(|word| is(input, word));
    match path.get_ident() {
        Some(word) if input.peek(token::Brace) || (at_path(input) && !another) => misspelt(word, messages::STEP_WORDS),
        _ => Ok(()),
    }
}

fn target(input: ParseStream<'_>, sink: &mut Diagnostics, arrow: Extent, written: &str) -> syn::Result<Target> {
    if let Some(word) = word(input, "start") {
        sink.error(word.span(), messages::into_start());
        return Ok(Target::Hole);
    }
    if let Some(word) = word(input, "never") {
        return Ok(Target::Never(word));
    }
    if let Some(end) = word(input, "end") {
        if !at_exit(input) {
            return Ok(Target::End(end, None));
        }
        let exit = named(input.call(Ident::parse_any)?, sink, "an exit");
        return Ok(exit.map_or(Target::Hole, |exit| Target::End(end, Some(exit))));
    }
    if input.peek(syn::Ident) && input.peek2(Token![!]) {
        let word: Ident = input.parse()?;
        input.parse::<Token![!]>()?;
        input.parse::<TokenTree>()?;
        sink.error(word.span(), messages::todo_target());
        return Ok(Target::Hole);
    }
    if input.peek(Ident::peek_any) && !at_path(input) && !["if", "else", "as"].iter().any(|w| is(input, w)) {
        let word = input.call(Ident::parse_any)?;
        sink.error(word.span(), messages::keyword(&word.to_string(), "a place"));
        return Ok(Target::Hole);
    }
    // `a -> ` with the next statement or arm behind it: its words are no target.
    let another = (at_statement(input) && !chain(input)) || at_arm(input);
    if another || !at_path(input) {
        sink.error_spanned(arrow, messages::no_target(written));
        return Ok(Target::Hole);
    }
    Ok(path(input, sink)?.map_or(Target::Hole, Target::Place))
}

/// Whether the name of an exit follows `end`: a word that is not the grammar's, with nothing of its own behind it.
fn at_exit(input: ParseStream<'_>) -> bool {
    let words = ["at_most", "on", "if", "else"];
    let ahead = input.fork();
    let named = ahead.call(Ident::parse_any).is_ok_and(|word| !words.iter().any(|w| word == w));
    let alone = !ahead.peek(Ident::peek_any) || words.iter().any(|w| is(&ahead, w));
    named && alone && !at_statement(input) && !at_arm(input)
}

/// Whether a path and `->` follow: a step of a chain.
fn chain(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    matches!(path(&ahead, &mut Diagnostics::default()), Ok(Some(_))) && ahead.peek(Token![->])
}

fn budget(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Option<Budget>> {
    let Some(at_most) = word(input, "at_most") else {
        return Ok(None);
    };
    let count: LitInt = if input.peek(LitInt) {
        input.parse()?
    } else {
        return Err(syn::Error::new(at_most.span(), messages::budget_number(&found(input))));
    };
    if input.peek(syn::Ident) && !at_statement(input) && !at_arm(input) {
        misspelt(&input.fork().parse()?, &["else"])?;
    }
    if !input.peek(Token![else]) {
        sink.error_spanned(&count, messages::budget_else());
        return Ok(None);
    }
    let other: Token![else] = input.parse()?;
    let target = target(input, sink, Extent::of(other.span), "else")?;
    Ok(Some(Budget { count, other, target }))
}

/// `if router`, `on error`, or nothing; with the last token of the statement.
fn condition(input: ParseStream<'_>, sink: &mut Diagnostics, way: &Way, end: End) -> syn::Result<(Option<Condition>, End)> {
    let condition = if input.peek(Token![if]) {
        let word: Token![if] = input.parse()?;
        if !at_path(input) || is(input, "not") {
            return Err(syn::Error::new(word.span, messages::condition_is_path()));
        }
        let Some(router) = path(input, sink)? else { return Ok((Some(Condition::Hole), None)) };
        if goes_on_as_expression(input) {
            return Err(syn::Error::new(word.span, messages::condition_is_path()));
        }
        let end = path_extent(&router).last;
        (Condition::If(router), end, word.span)
    } else if let Some(on) = word(input, "on") {
        if !input.peek(syn::Ident) {
            return Err(unexpected(input, "behind `on`", "`on error` or `on expiry`"));
        }
        let kind: Ident = input.parse()?;
        if kind != "error" && kind != "expiry" {
            sink.error(kind.span(), messages::unknown_on(&kind.to_string()));
            return Ok((Some(Condition::Hole), Some(kind.span())));
        }
        let (end, at) = (kind.span(), on.span());
        (Condition::On(on, kind), end, at)
    } else {
        return Ok((None, end));
    };
    let (condition, last, at) = condition;
    let end = Some(last);
    if matches!(way.last, Last::Choice(_)) {
        sink.error(at, messages::condition_of_match());
        return Ok((Some(Condition::Hole), end));
    }
    if !way.steps.is_empty() {
        sink.error(at, messages::condition_of_chain());
        return Ok((Some(Condition::Hole), end));
    }
    Ok((Some(condition), end))
}

/// `done(x)`, `n > 3`, `state.n`: an expression stands where a name belongs.
fn goes_on_as_expression(input: ParseStream<'_>) -> bool {
    let arrow = input.peek(Token![->]) || input.peek(Token![=>]);
    let ends = input.is_empty() || input.peek(Token![;]) || input.peek(Token![,]) || input.peek(Token![#]);
    let another = input.peek(Ident::peek_any) || input.peek(token::Brace);
    !(arrow || ends || another)
}

fn choice(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Choice> {
    let word: Token![match] = input.parse()?;
    let router = if at_path(input) { path(input, sink)? } else { None };
    let arms = arms(input, sink, &way)?;
    Ok(Choice { word, router, arms })
}

type Behind<'a, X> = &'a dyn Fn(ParseStream<'_>, &mut Diagnostics, Extent, &str) -> syn::Result<(X, End)>;

pub(super) fn arms<X>(input: ParseStream<'_>, sink: &mut Diagnostics, behind: Behind<'_, X>) -> syn::Result<Arms<X>> {
    if !input.peek(token::Brace) {
        return Err(unexpected(input, "here", "what each answer leads to: `{ A => a, B => b }`"));
    }
    let content;
    let braces = braced!(content in input).span.join();
    let (mut arms, broken) = recover::arms(&content, sink, &|input, sink| {
        let cfgs = cfgs(input, sink)?;
        let labels = labels(input, sink)?;
        if input.peek(Token![->]) {
            let thin: Token![->] = input.parse()?;
            return Err(spanned(thin, &messages::unexpected("`->`", "behind a label", "`=>`: `Label => place`")));
        }
        if !input.peek(Token![=>]) {
            return Err(unexpected(input, "behind a label", "where it leads: `Label => place`"));
        }
        let arrow: Token![=>] = input.parse()?;
        let (to, end) = behind(input, sink, arrow.into(), "=>")?;
        if input.peek(Token![if]) {
            sink.error(input.span(), messages::unexpected("`if`", "in an arm", "the condition into the router"));
            input.parse::<Token![if]>()?;
            path(input, sink)?;
        }
        Ok((Arm { cfgs, labels, to }, end))
    });
    // None of its labels is a name, which was said.
    let nameless = arms.extract_if(.., |arm| arm.labels.is_empty()).count() > 0;
    Ok(Arms { braces, arms, broken: broken || nameless })
}

/// Whether `A =>` or `A | B =>` follows: then a comma is missing before it.
pub(crate) fn at_arm(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.peek(Token![#]) || (labels(&ahead, &mut Diagnostics::default()).is_ok() && ahead.peek(Token![=>]))
}

fn labels(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Vec<Label>> {
    let mut labels = Vec::new();
    loop {
        if input.peek(Token![_]) {
            let wild: Token![_] = input.parse()?;
            // rustc calls the exits of a mounted graph `_::__Exit::done`, and offers that as an arm.
            let exit = input.peek(Token![::]).then(|| path(input, sink)).transpose()?.flatten();
            labels.push(match exit.and_then(|path| path.segments.into_iter().next_back()) {
                Some(exit) => Label::Path(exit.ident.into()),
                None => Label::Wild(wild),
            });
        } else if input.peek(LitBool) {
            labels.push(Label::Bool(input.parse()?));
        } else if let Some(word) = word(input, "end") {
            labels.push(Label::End(word));
        } else if at_path(input) {
            labels.extend(path(input, sink)?.map(Label::Path));
        } else {
            return Err(unexpected(input, "here", "an arm: `Label => place`"));
        }
        if !input.peek(Token![|]) {
            return Ok(labels);
        }
        input.parse::<Token![|]>()?;
    }
}
