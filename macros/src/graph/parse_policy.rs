//! Reads policies: `retry(3, backoff(500ms))`, `timeout(60s)`, `expires(48h)`.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{LitInt, LitStr, Token, parenthesized, token};

use super::syntax::{PolicyKind, path_extent};
use super::words::{at_path, is, misspelt, named, path, word};
use crate::diagnostics::Diagnostics;
use crate::messages;

/// What stands in the parentheses behind `word`; a mistake there is said once, and a hole stands for it.
pub(super) fn policy(word: &Ident, input: ParseStream<'_>, sink: &mut Diagnostics) -> PolicyKind {
    let kind = read(word, input, sink).and_then(|kind| {
        input.parse::<Option<Token![,]>>()?;
        Ok(kind)
    });
    let unread = !input.is_empty();
    let span = input.span();
    // What is left of a mistake says nothing more.
    let _ = input.parse::<TokenStream>();
    match kind {
        Ok(_) if unread => {
            sink.error(span, messages::policy_form(&word.to_string()));
            PolicyKind::Hole
        }
        Ok(kind) => kind,
        Err(error) => {
            sink.push(error);
            PolicyKind::Hole
        }
    }
}

fn read(name: &Ident, input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<PolicyKind> {
    let text = name.to_string();
    let wrong = |span: Span| syn::Error::new(span, messages::policy_form(&text));
    if !messages::POLICIES.contains(&text.as_str()) {
        input.parse::<TokenStream>()?;
        return Err(syn::Error::new(name.span(), messages::unknown_policy(&text)));
    }
    if input.is_empty() {
        return Err(wrong(name.span()));
    }
    Ok(match text.as_str() {
        "retry" => retry(input, &text)?,
        "timeout" => PolicyKind::Timeout(duration(input, &text)?),
        "expires" => PolicyKind::Expires(duration(input, &text)?),
        "at_once" => PolicyKind::AtOnce(number(input, &text)?),
        "was" => PolicyKind::Was(input.parse::<LitStr>().map_err(|error| wrong(error.span()))?),
        "writes" => {
            let fields = input.parse_terminated(Ident::parse_any, Token![,]).map_err(|error| wrong(error.span()))?;
            let fields: Option<Vec<Ident>> = fields.into_iter().map(|field| named(field, sink, "a field")).collect();
            fields.map_or(PolicyKind::Hole, PolicyKind::Writes)
        }
        _ if !at_path(input) => return Err(wrong(input.span())),
        "cache" => cache(input, &text, sink)?,
        "enter" => path(input, sink)?.map_or(PolicyKind::Hole, PolicyKind::Enter),
        _ => path(input, sink)?.map_or(PolicyKind::Hole, PolicyKind::Exit),
    })
}

/// `key, 10min`
fn cache(input: ParseStream<'_>, name: &str, sink: &mut Diagnostics) -> syn::Result<PolicyKind> {
    let Some(key) = path(input, sink)? else { return Ok(PolicyKind::Hole) };
    if !input.peek(Token![,]) {
        return Err(syn::Error::new(path_extent(&key).last, messages::policy_form(name)));
    }
    input.parse::<Token![,]>()?;
    Ok(PolicyKind::Cache { key, keep: duration(input, name)? })
}

/// `3`, `3, backoff(500ms)`, `3, backoff(500ms, 30s)`
fn retry(input: ParseStream<'_>, name: &str) -> syn::Result<PolicyKind> {
    let times = number(input, name)?;
    let (mut backoff, mut limit) = (None, None);
    if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
        let wrong = syn::Error::new(input.span(), messages::policy_form(name));
        if !is(input, "backoff") && input.peek(syn::Ident) {
            misspelt(&input.fork().parse()?, &["backoff"])?;
        }
        if word(input, "backoff").is_none() || !input.peek(token::Paren) {
            return Err(wrong);
        }
        let content;
        parenthesized!(content in input);
        backoff = Some(duration(&content, name)?);
        if content.parse::<Option<Token![,]>>()?.is_some() && !content.is_empty() {
            limit = Some(duration(&content, name)?);
            content.parse::<Option<Token![,]>>()?;
        }
        if !content.is_empty() {
            let wrong = syn::Error::new(content.span(), messages::policy_form(name));
            content.parse::<TokenStream>()?;
            return Err(wrong);
        }
    }
    Ok(PolicyKind::Retry { times, backoff, limit })
}

fn number(input: ParseStream<'_>, name: &str) -> syn::Result<u32> {
    let span = input.span();
    let wrong = |_| syn::Error::new(span, messages::policy_form(name));
    let literal: LitInt = input.parse().map_err(wrong)?;
    match literal.base10_parse() {
        Ok(number) if number > 0 && literal.suffix().is_empty() => Ok(number),
        _ => Err(syn::Error::new(span, messages::policy_form(name))),
    }
}

/// The units of a duration, in milliseconds.
const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// `500ms`, `60s`, `15min`, `48h`, `7d`
fn duration(input: ParseStream<'_>, name: &str) -> syn::Result<Duration> {
    let span = input.span();
    if !input.peek(LitInt) {
        return Err(syn::Error::new(span, messages::policy_form(name)));
    }
    let literal: LitInt = input.parse()?;
    let unit = UNITS.iter().find(|(unit, _)| *unit == literal.suffix());
    let millis = unit.and_then(|(_, millis)| literal.base10_digits().parse::<u64>().ok()?.checked_mul(*millis));
    match millis {
        Some(millis) if millis > 0 => Ok(Duration::from_millis(millis)),
        _ => Err(syn::Error::new(span, messages::no_duration(&literal.to_string()))),
    }
}
