//! The methods of an update: what a field's setter takes, and how it says it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericArgument, PathArguments, Type};

use super::expand::{marker, reducer};
use super::syntax::{Field, How, State};
use crate::names::unraw;
use crate::spans::hidden;

/// What a setter takes, and the write that comes of it.
struct Taken {
    ty: TokenStream,
    delta: TokenStream,
}

/// The setter of a field, and the one that replaces what is otherwise added to.
pub(super) fn setters(state: &State<'_>, field: &Field<'_>) -> TokenStream {
    let name = unraw(field.name);
    let value = hidden("value");
    let ty = field.ty;
    let doc = match field.how {
        How::Replace => format!("Replaces `{name}`."),
        How::Append => format!("Appends to `{name}`; `set_{name}` replaces it."),
        How::Merge => format!("Puts pairs into `{name}`; `set_{name}` replaces it."),
        How::Sum => format!("Adds to `{name}`."),
        How::Min => format!("Lowers `{name}` to this, if it is higher."),
        How::Max => format!("Raises `{name}` to this, if it is lower."),
        How::With(_) => format!("Merges this into `{name}`, by the function that the field names."),
        How::Conversation => format!("Adds to the conversation `{name}`."),
    };
    let taken = match field.how {
        How::Replace | How::Sum | How::Min | How::Max => value_of(ty, &value),
        How::With(_) => {
            let Taken { ty, delta } = value_of(ty, &value);
            Taken { ty, delta: quote!(__rt::WithDelta::given(#delta)) }
        }
        How::Conversation => {
            Taken { ty: quote!(impl ::core::convert::Into<__rt::ConversationDelta>), delta: quote!(::core::convert::Into::into(#value)) }
        }
        How::Append => items_of(ty, &value),
        How::Merge => pairs_of(ty, &value),
    };
    let first = setter(state, field, field.name, &doc, &value, &taken);
    let second = field.how.second_setter(field.name).map(|setter_name| {
        let delta = if matches!(field.how, How::Append) { quote!(__rt::AppendDelta) } else { quote!(__rt::MergeDelta) };
        let taken = Taken { ty: quote!(impl ::core::convert::Into<#ty>), delta: quote!(#delta::set(::core::convert::Into::into(#value))) };
        setter(state, field, &setter_name, &format!("Replaces `{name}`: with nothing, it clears it."), &value, &taken)
    });
    quote!(#first #second)
}

fn setter(state: &State<'_>, field: &Field<'_>, name: &Ident, doc: &str, value: &Ident, taken: &Taken) -> TokenStream {
    let State { vis, name: owner, .. } = state;
    let (slot, docs, reducer, marker) = (field.name, &field.docs, reducer(field), marker(field));
    let Taken { ty, delta } = taken;
    quote! {
        #[doc = #doc]
        #[doc = ""]
        #(#docs)*
        #vis fn #name(mut self, #value: #ty) -> Self
        where
            __By: __rt::Writes<#owner, #marker>,
        {
            #reducer::write(&mut self.#slot, #delta);
            self
        }
    }
}

/// One value. A number is taken as it is: `impl Into<u64>` would read `3` as an `i32`, and refuse it.
fn value_of(ty: &Type, value: &Ident) -> Taken {
    if is_scalar(ty) {
        Taken { ty: quote!(#ty), delta: quote!(#value) }
    } else if let Some([inner]) = arguments(ty, &["Option"]) {
        Taken { ty: quote!(impl __rt::IntoOption<#inner>), delta: quote!(__rt::IntoOption::into_option(#value)) }
    } else {
        Taken { ty: quote!(impl ::core::convert::Into<#ty>), delta: quote!(::core::convert::Into::into(#value)) }
    }
}

fn items_of(ty: &Type, value: &Ident) -> Taken {
    let iter = quote!(impl ::core::iter::IntoIterator);
    let item = match arguments(ty, &["Vec"]) {
        Some([inner]) if is_scalar(inner) => quote!(#inner),
        Some([inner]) => quote!(impl ::core::convert::Into<#inner>),
        _ => quote!(<#ty as ::core::iter::IntoIterator>::Item),
    };
    Taken { ty: quote!(#iter<Item = #item>), delta: quote!(__rt::AppendDelta::add(#value)) }
}

fn pairs_of(ty: &Type, value: &Ident) -> Taken {
    let iter = quote!(impl ::core::iter::IntoIterator);
    let part = |ty: &Type| if is_scalar(ty) { quote!(#ty) } else { quote!(impl ::core::convert::Into<#ty>) };
    let item = match arguments(ty, &["BTreeMap", "HashMap"]) {
        Some([key, given]) => {
            let (key, given) = (part(key), part(given));
            quote!((#key, #given))
        }
        _ => quote!(<#ty as ::core::iter::IntoIterator>::Item),
    };
    Taken { ty: quote!(#iter<Item = #item>), delta: quote!(__rt::MergeDelta::put(#value)) }
}

fn is_scalar(ty: &Type) -> bool {
    const SCALARS: [&str; 16] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "bool", "char"];
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|ident| SCALARS.contains(&ident.to_string().as_str())))
}

/// The type arguments of a path that ends in one of `names`.
fn arguments<'a, const N: usize>(ty: &'a Type, names: &[&str]) -> Option<[&'a Type; N]> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if !names.iter().any(|name| last.ident == format_ident!("{name}")) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let types: Vec<&Type> = arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .collect();
    types.try_into().ok()
}
