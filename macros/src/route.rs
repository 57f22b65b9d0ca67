//! `#[derive(Route)]`: an enum whose variants are ways.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields};

use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::krate::unlisted;
use crate::names::unraw;

/// Arms that every interrupt has beside those of its answer.
const ALWAYS: [&str; 2] = ["Declined", "Cancelled"];

pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Diagnostics::default();
    let route = add(input, &mut errors);
    let errors = errors.into_tokens();
    quote!(#route #errors)
}

fn add(input: &DeriveInput, errors: &mut Diagnostics) -> TokenStream {
    let krate = krate(input, errors);
    let data = match &input.data {
        Data::Enum(data) => data,
        Data::Struct(data) => {
            errors.error(data.struct_token.span, say::route_not_here("a struct"));
            return TokenStream::new();
        }
        Data::Union(data) => {
            errors.error(data.union_token.span, say::route_not_here("a union"));
            return TokenStream::new();
        }
    };
    if data.variants.is_empty() {
        errors.error(input.ident.span(), say::no_variants());
        return TokenStream::new();
    }
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let fieldless = data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit));
    let unlisted = unlisted(&krate);
    let items = if fieldless { plain(input, &variants, unlisted) } else { with_data(input, &variants) };
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #items
        };
    }
}

fn krate(input: &DeriveInput, errors: &mut Diagnostics) -> syn::Path {
    let parts = input.attrs.iter().filter(|attr| attr.path().is_ident("route")).filter_map(|attr| attr.meta.require_list().ok());
    Keys::parse(parts.map(|list| list.tokens.clone()), "route", &["crate"], errors).krate(errors)
}

/// An enum without data is its own arm, so that rustc speaks of the enum that the user wrote.
fn plain(input: &DeriveInput, variants: &[&Ident], unlisted: Option<TokenStream>) -> TokenStream {
    let name = &input.ident;
    let (head, parameters, bounds) = input.generics.split_for_impl();
    let this = quote!(#name #parameters);
    let answer = answer(input, variants);
    let (twin, arms) = (&answer.name, &answer.arms);
    let definition = &answer.definition;
    let numbers = 0..u32::try_from(variants.len()).unwrap_or(u32::MAX);
    quote! {
        #definition
        #unlisted
        #[automatically_derived]
        impl #head __rt::Route for #this #bounds {
            type Arm = Self;
            type AnswerArm = #twin;
            fn arm(&self) -> Self {
                match self { #(Self::#variants => Self::#variants),* }
            }
            fn answer_arm(__answer: &__rt::Answer<Self>) -> #twin {
                match __answer { #arms }
            }
        }
        #unlisted
        #[automatically_derived]
        impl #head __rt::PlainRoute for #this #bounds {
            const ALL: &'static [Self] = &[#(Self::#variants),*];
            fn number(&self) -> u32 {
                match self { #(Self::#variants => #numbers),* }
            }
        }
        #unlisted
        #[automatically_derived]
        impl #head __rt::Chosen for #this #bounds {
            type Arm = Self;
            fn chosen(&self) -> Self {
                __rt::Route::arm(self)
            }
        }
        #unlisted
        #[automatically_derived]
        impl #head __rt::ChosenKind for #this #bounds {
            type Arm = Self;
            fn chosen_kind(&self) -> Self {
                __rt::Route::arm(self)
            }
        }
    }
}

/// An answer may carry data; its arms are a twin without.
fn with_data(input: &DeriveInput, variants: &[&Ident]) -> TokenStream {
    let (name, vis) = (&input.ident, &input.vis);
    let (head, parameters, bounds) = input.generics.split_for_impl();
    let this = quote!(#name #parameters);
    let arm = format_ident!("{}Arm", unraw(name));
    let answer = answer(input, variants);
    let (twin, arms) = (&answer.name, &answer.arms);
    let definition = &answer.definition;
    quote! {
        #[allow(unreachable_pub)]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #vis enum #arm { #(#variants),* }
        #definition
        #[automatically_derived]
        impl #head __rt::Route for #this #bounds {
            type Arm = #arm;
            type AnswerArm = #twin;
            fn arm(&self) -> #arm {
                match self { #(Self::#variants { .. } => #arm::#variants),* }
            }
            fn answer_arm(__answer: &__rt::Answer<Self>) -> #twin {
                match __answer { #arms }
            }
        }
    }
}

/// The variants beside `Declined` and `Cancelled`, and how an answer becomes one of them.
struct AnswerArms {
    name: Ident,
    definition: TokenStream,
    arms: TokenStream,
}

fn answer(input: &DeriveInput, variants: &[&Ident]) -> AnswerArms {
    let vis = &input.vis;
    let name = format_ident!("{}Answer", unraw(&input.ident));
    // A variant of such a name takes the arm of that name: there is one for both.
    let always = ALWAYS.iter().map(|word| format_ident!("{word}")).filter(|word| !variants.contains(&word));
    let definition = quote! {
        #[allow(unreachable_pub)]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #vis enum #name { #(#variants,)* #(#always),* }
    };
    let arms = quote! {
        #(__rt::Answer::Accepted(Self::#variants { .. }) => #name::#variants,)*
        __rt::Answer::Declined => #name::Declined,
        __rt::Answer::Cancelled => #name::Cancelled,
    };
    AnswerArms { name, definition, arms }
}
