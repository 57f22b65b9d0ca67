//! `#[node]`: on a function, or on an `impl Interrupt`.

mod function;
mod interrupt;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Generics, Type};

use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::marker;

/// What a generic node can write without knowing the fields.
const CAPABILITIES: &[&str] = &["conversation"];

/// The item as it was, then what we add, then what is wrong.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let word = keyword(&item);
    let all = match word.as_ref().map(ToString::to_string).as_deref() {
        Some("fn") => {
            let added = function::expand(arguments, &item, &mut errors);
            quote!(#item #added)
        }
        Some("impl") => interrupt::expand(arguments, &item, &mut errors),
        _ => {
            errors.error(word.map_or_else(Span::call_site, |word| word.span()), say::node_not_here());
            item
        }
    };
    let errors = errors.into_tokens();
    quote!(#all #errors)
}

/// The word that says what an item is, behind attributes, visibility and the like.
pub(crate) fn keyword(item: &TokenStream) -> Option<Ident> {
    item.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => match word.to_string().as_str() {
            "fn" | "impl" | "struct" | "enum" | "union" | "trait" | "mod" | "type" | "static" | "use" | "macro_rules" | "let" => Some(word),
            _ => None,
        },
        _ => None,
    })
}

/// What `NodeResult<name>` stands for. Of a generic node there is no one update: it says `Update<S, name>`.
fn returns(name: &Ident, generics: &Generics, state: &Type) -> TokenStream {
    marker::must_be_state(generics, state)
        .map(|bound| quote!(impl __rt::Returns for #name where #bound { type Update = <#state as __rt::State>::Update<#name>; }))
        .unwrap_or_default()
}

/// Impls that say who may write what, for a node that is `name`; and `Node::WRITES`, where more is known than what it
/// returns.
struct Writes {
    impls: TokenStream,
    set: Option<TokenStream>,
}

/// `state` is the state's type, or `None` where it is a parameter.
fn writes(name: &Type, state: Option<&Type>, fields: Option<&[Ident]>, errors: &mut Diagnostics) -> Writes {
    let Some(fields) = fields else {
        return Writes {
            impls: quote! {
                impl<__S, __F> __rt::Writes<__S, __F> for #name {}
                impl __rt::Accepts<__rt::Anything> for #name {}
            },
            set: None,
        };
    };
    if let Some(state) = state {
        let markers = fields.iter().map(|field| {
            quote! { impl __rt::Writes<#state, <#state as __rt::FieldAt<{ <<#state as __rt::State>::Fields>::#field }>>::Field> for #name {} }
        });
        return Writes {
            impls: quote!(#(#markers)*),
            set: Some(quote!(const WRITES: __rt::FieldSet = __rt::FieldSet::EMPTY #(.with(<<#state as __rt::State>::Fields>::#fields))*;)),
        };
    }
    // A conversation is merged, so which field it is does not matter to the check of parallel writes.
    let mut impls = TokenStream::new();
    for field in fields {
        if CAPABILITIES.contains(&field.to_string().as_str()) {
            impls.extend(quote!(impl<__S> __rt::Writes<__S, __rt::cap::Conversation> for #name {}));
        } else {
            errors.error(field.span(), say::unknown_capability(&field.to_string(), CAPABILITIES));
        }
    }
    Writes {
        impls,
        set: Some(quote!(
            const WRITES: __rt::FieldSet = __rt::FieldSet::EMPTY;
        )),
    }
}
