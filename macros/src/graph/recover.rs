//! Goes on after a mistake: statement by statement, arm by arm.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, GenericArgument, Generics, Path, PathArguments, Token, Type, Visibility, braced, parenthesized, token};

use super::parse::{self, End};
use super::syntax::{Arm, Condition, Graph, Instance, Statement, Written};
use super::words;
use crate::diagnostics::Diagnostics;
use crate::messages;

/// The whole of `graph! { .. }`; `None` where not even a name and a state can be found.
pub(crate) fn graph(input: ParseStream<'_>, sink: &mut Diagnostics) -> Option<Written> {
    match head(input, sink) {
        Ok(written) => {
            if !input.is_empty() {
                sink.error(input.span(), messages::second_graph());
                drain(input);
            }
            Some(written)
        }
        Err(error) => {
            sink.push(coded(error, messages::head));
            drain(input);
            None
        }
    }
}

fn head(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Written> {
    let attrs = input.call(Attribute::parse_outer)?;
    let vis: Visibility = input.parse()?;
    if !input.peek(syn::Ident) {
        return Err(missing(input, "its name"));
    }
    let name: Ident = input.parse()?;
    if input.peek(Token![=]) {
        return instance(input, attrs, vis, name).map(|instance| Written::Instance(Box::new(instance)));
    }
    let mut generics: Generics = input.parse()?;
    if !input.peek(token::Paren) {
        return Err(missing(input, "`(State, Deps)`"));
    }
    let types;
    parenthesized!(types in input);
    if types.is_empty() {
        drain(&types);
        return Err(missing(input, "the state in `(State, Deps)`"));
    }
    let state: Type = types.parse()?;
    if types.parse::<Option<Token![,]>>()?.is_none() && !types.is_empty() {
        let error = missing(&types, "`,` between the state and the dependencies");
        drain(&types);
        return Err(error);
    }
    let deps: Type = if types.is_empty() { syn::parse_quote!(()) } else { types.parse()? };
    types.parse::<Option<Token![,]>>()?;
    if !types.is_empty() {
        return Err(missing(&types, "`)` behind a state and dependencies"));
    }
    generics.where_clause = input.parse()?;
    if !input.peek(token::Brace) {
        return Err(missing(input, "`{ start -> .. }`"));
    }
    let body;
    braced!(body in input);
    let mut graph = Graph { attrs, vis, name, generics, state, deps, statements: Vec::new(), lost: false, begun: Vec::new() };
    statements(&body, &mut graph, sink);
    Ok(Written::Graph(Box::new(graph)))
}

/// `= React<Ticket, Deps>;`
fn instance(input: ParseStream<'_>, attrs: Vec<Attribute>, vis: Visibility, name: Ident) -> syn::Result<Instance> {
    let sign: Token![=] = input.parse()?;
    let wrong = || syn::Error::new(sign.span, messages::instance_form());
    let mut of: Path = input.parse().map_err(|_| wrong())?;
    input.parse::<Option<Token![;]>>()?;
    let last = of.segments.last_mut().ok_or_else(wrong)?;
    let PathArguments::AngleBracketed(given) = std::mem::take(&mut last.arguments) else { return Err(wrong()) };
    let mut types = given.args.into_iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let (Some(state), deps, None) = (types.next(), types.next(), types.next()) else { return Err(wrong()) };
    Ok(Instance { attrs, vis, name, of, state, deps: deps.unwrap_or_else(|| syn::parse_quote!(())) })
}

/// What syn says of Rust's own parts, as a sentence with a code; ours are that already.
fn coded(error: syn::Error, say: fn(&str) -> String) -> syn::Error {
    let text = error.to_string();
    if text.contains("[GW") {
        return error;
    }
    // Fifteen things that a type may begin with help nobody.
    let text = if text.contains("one of: ") { "this was not expected" } else { &text };
    syn::Error::new(error.span(), say(text))
}

fn missing(input: ParseStream<'_>, what: &str) -> syn::Error {
    syn::Error::new(input.span(), messages::header(what))
}

/// The statements, and whether one was lost.
fn statements(input: ParseStream<'_>, graph: &mut Graph, sink: &mut Diagnostics) {
    while !input.is_empty() {
        // A `;` too much does no harm, but is not the beginning of anything either.
        if input.parse::<Token![;]>().is_ok() {
            continue;
        }
        let (before, ahead) = (input.cursor(), input.fork());
        match parse::statement(input, sink) {
            Ok((mut statement, end)) => {
                if !semicolon(input, sink, end) {
                    graph.lost = true;
                    // What was not understood may have been a condition.
                    if let Statement::Ways(ways) = &mut statement {
                        ways.condition = Some(Condition::Hole);
                    }
                }
                graph.statements.push(statement);
            }
            Err(error) => {
                graph.lost = true;
                graph.begun.extend(words::path(&ahead, &mut Diagnostics::default()).ok().flatten());
                sink.push(coded(error, messages::statement));
                if input.cursor() == before {
                    skip(input);
                }
                resync(input);
            }
        }
    }
}

/// The `;` behind a statement whose last token is `end`. False if the statement says more than was understood.
fn semicolon(input: ParseStream<'_>, sink: &mut Diagnostics, end: End) -> bool {
    if input.parse::<Token![;]>().is_ok() {
        return true;
    }
    let complete = input.is_empty() || parse::at_statement(input);
    let Some(end) = end else {
        resync(input);
        return complete;
    };
    if complete {
        sink.error(end, messages::no_semicolon());
        return true;
    }
    let message = if input.peek(Token![else]) {
        messages::else_alone()
    } else if input.peek(Ident::peek_any) {
        messages::unknown_way_word(words::found(input).trim_matches('`'))
    } else if input.peek(Token![,]) || input.peek(Token![|]) {
        messages::several_targets(&words::found(input))
    } else {
        messages::unexpected(&words::found(input), "here", "`;`")
    };
    sink.error(input.span(), message);
    resync(input);
    false
}

/// On to the next statement: behind a `;`, or before what looks like one.
fn resync(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![;]>().is_ok() || parse::at_statement(input) {
            return;
        }
        skip(input);
    }
}

type ArmParser<'a, X> = &'a dyn Fn(ParseStream<'_>, &mut Diagnostics) -> syn::Result<(Arm<X>, End)>;

/// The arms between two braces, and whether something there was not understood.
pub(crate) fn arms<X>(input: ParseStream<'_>, sink: &mut Diagnostics, arm: ArmParser<'_, X>) -> (Vec<Arm<X>>, bool) {
    let (mut arms, mut broken) = (Vec::new(), false);
    while !input.is_empty() {
        let before = input.cursor();
        match arm(input, sink) {
            Ok((arm, end)) => {
                arms.push(arm);
                if input.is_empty() || input.parse::<Token![,]>().is_ok() {
                    continue;
                }
                match end {
                    // Said already.
                    None => {}
                    Some(end) if parse::at_arm(input) => sink.error(end, messages::no_comma()),
                    Some(_) => sink.error(input.span(), messages::unexpected(&words::found(input), "in an arm", "`,` and the next arm")),
                }
            }
            Err(error) => {
                broken = true;
                sink.push(coded(error, messages::arm));
                if input.cursor() == before {
                    skip(input);
                }
            }
        }
        while !input.is_empty() && input.parse::<Token![,]>().is_err() && !parse::at_arm(input) {
            skip(input);
        }
    }
    (arms, broken)
}

fn skip(input: ParseStream<'_>) {
    // Cannot fail: every caller has seen that there is a token.
    let _ = input.parse::<TokenTree>();
}

fn drain(input: ParseStream<'_>) {
    let _ = input.parse::<TokenStream>();
}
