//! What the derive emits.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::setters::setters;
use super::syntax::{Field, How, State};
use crate::krate::unlisted;
use crate::names::unraw;
use crate::spans::hidden;

pub(super) fn expand(state: &State<'_>) -> TokenStream {
    let krate = &state.krate;
    let parts = [fields(state), update_type(state), update_impls(state), state_impl(state), step(state), conversation(state)];
    quote! {
        #[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, unreachable_pub, private_interfaces, private_bounds)]
        const _: () = {
            use #krate::__private as __rt;
            #(#parts)*
        };
    }
}

/// `<Append as Reducer<Vec<String>>>`: everything that is done with a field goes through its reducer.
pub(super) fn reducer(field: &Field<'_>) -> TokenStream {
    let ty = field.ty;
    let reducer = match &field.how {
        How::Replace => quote!(__rt::Replace),
        How::Append => quote!(__rt::Append),
        How::Merge => quote!(__rt::Merge),
        How::Sum => quote!(__rt::Sum),
        How::Min => quote!(__rt::Min),
        How::Max => quote!(__rt::Max),
        How::Conversation => quote!(__rt::Talk),
        How::With(_) => {
            let function = function(field);
            quote!(__rt::With<#function>)
        }
    };
    quote!(<#reducer as __rt::Reducer<#ty>>)
}

/// The type that stands for the function of a `with` field.
fn function(field: &Field<'_>) -> Ident {
    format_ident!("__With{}", field.index)
}

/// The type that stands for a field in `Writes`. Of the conversation it is the capability, so that nodes that know the
/// field and nodes that know only the capability mean the same.
pub(super) fn marker(field: &Field<'_>) -> TokenStream {
    let name = field.name;
    match field.how {
        How::Conversation => quote!(__rt::cap::Conversation),
        _ => quote!(__fields::#name),
    }
}

/// Fields by index, by name and as types; and the functions of `with` fields.
fn fields(state: &State<'_>) -> TokenStream {
    let owner = state.name;
    let names = state.fields.iter().map(|field| field.name);
    let constants = state.fields.iter().map(|Field { name, index, .. }| quote!(pub const #name: usize = #index;));
    let at = state.fields.iter().map(|field| {
        let (index, marker) = (field.index, marker(field));
        quote!(impl __rt::FieldAt<#index> for #owner { type Field = #marker; })
    });
    let functions = state.fields.iter().filter_map(|field| {
        let How::With(path) = &field.how else { return None };
        let (function, ty) = (function(field), field.ty);
        // What does not fit is the function: its name is where rustc must point.
        let span = path.path.segments.first().map_or_else(Span::mixed_site, |first| Span::mixed_site().located_at(first.ident.span()));
        let (current, given) = (Ident::new("current", span), Ident::new("given", span));
        Some(quote! {
            pub enum #function {}
            impl __rt::MergeWith<#ty> for #function {
                fn merge(#current: &#ty, #given: #ty) -> #ty {
                    #path(#current, #given)
                }
            }
        })
    });
    quote! {
        // Named as the fields, for the errors that print them.
        pub mod __fields {
            #(#[derive(::core::fmt::Debug)] pub enum #names {})*
        }
        #[derive(::core::fmt::Debug)]
        pub enum __Fields {}
        impl __Fields {
            #(#constants)*
        }
        #(#at)*
        #(#functions)*
    }
}

fn update_type(State { vis, name, update, serde, fields, .. }: &State<'_>) -> TokenStream {
    let doc = format!("A partial write of [`{}`]: what a node returns, and what is stored.", unraw(name));
    let fields = fields.iter().map(|field| {
        let (name, names, reducer) = (field.name, &field.serde, reducer(field));
        // `null` is a write, so what is there is read as it is, and only what is not there is nothing.
        quote! {
            #[serde(default, skip_serializing_if = "::core::option::Option::is_none", deserialize_with = "__rt::written" #(, #names)*)]
            #name: ::core::option::Option<#reducer::Delta>,
        }
    });
    quote! {
        #[doc = #doc]
        #[must_use = "an update does nothing until a node returns it"]
        #[derive(__rt::serde::Serialize, __rt::serde::Deserialize)]
        #[serde(crate = "__rt::serde", bound = "", deny_unknown_fields #(, #serde)*)]
        #vis struct #update<__By = __rt::Anything> {
            #(#fields)*
            #[serde(skip)]
            __by: ::core::marker::PhantomData<fn() -> __By>,
        }
    }
}

fn update_impls(state: &State<'_>) -> TokenStream {
    let State { vis, name: owner, update, fields, .. } = state;
    let names: Vec<&Ident> = fields.iter().map(|field| field.name).collect();
    let texts = names.iter().map(|name| unraw(name));
    let setters = fields.iter().filter(|field| field.settable).map(|field| setters(state, field));
    let title = unraw(update);
    let (into, shown, given, formatter) = (hidden("state"), hidden("shown"), hidden("given"), hidden("f"));
    quote! {
        impl<__By> ::core::clone::Clone for #update<__By> {
            fn clone(&self) -> Self {
                Self { #(#names: ::core::clone::Clone::clone(&self.#names),)* __by: ::core::marker::PhantomData }
            }
        }
        /// Shows what is written, and nothing else.
        impl<__By> ::core::fmt::Debug for #update<__By> {
            fn fmt(&self, #formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut #shown = #formatter.debug_struct(#title);
                #(if let ::core::option::Option::Some(#given) = &self.#names {
                    #shown.field(#texts, #given);
                })*
                #shown.finish()
            }
        }
        impl ::core::default::Default for #update {
            fn default() -> Self {
                <#owner as __rt::State>::update()
            }
        }
        #[allow(dead_code)]
        impl<__By> #update<__By> {
            #(#setters)*

            /// Applies it to a state, as a commit would: for tests of a node.
            #vis fn apply_to(self, #into: &mut #owner) {
                __rt::apply_to(#into, self.__widen());
            }

            fn __widen(self) -> #update {
                #update { #(#names: self.#names,)* __by: ::core::marker::PhantomData }
            }
        }
        // The trait's own needs an import.
        #[allow(dead_code, clippy::same_name_method)]
        impl #owner {
            /// An empty update; what it may write is what the node that returns it declares.
            #vis fn update<__By>() -> #update<__By> {
                <#owner as __rt::State>::update()
            }
        }
    }
}

fn state_impl(State { name: owner, update, fields, krate, .. }: &State<'_>) -> TokenStream {
    let unlisted = unlisted(krate);
    let names: Vec<&Ident> = fields.iter().map(|field| field.name).collect();
    let texts = names.iter().map(|name| unraw(name));
    let indices = fields.iter().map(|field| field.index);
    let reducers: Vec<TokenStream> = fields.iter().map(reducer).collect();
    let per_turn = fields.iter().filter(|field| field.per_turn).map(|field| field.name);
    let numbers = fields.iter().map(|field| field.index);
    let (patch, ingest, closing, fields_given) = (hidden("patch"), hidden("ingest"), hidden("closing"), hidden("fields"));
    quote! {
        #unlisted
        impl __rt::State for #owner {
            type Update<__By> = #update<__By>;
            type Patch = #update;
            type Fields = __Fields;
            const FIELDS: &'static [__rt::FieldInfo] = &[#(__rt::FieldInfo { name: #texts, kind: #reducers::KIND }),*];
            const INGESTS: bool = false #(|| #reducers::INGESTS)*;
            const MERGES: bool = false #(|| #reducers::MERGES)*;

            fn update<__By>() -> #update<__By> {
                #update { #(#names: ::core::option::Option::None,)* __by: ::core::marker::PhantomData }
            }
            fn widen<__By>(#patch: #update<__By>) -> #update {
                #patch.__widen()
            }
            fn written(#patch: &#update) -> __rt::FieldSet {
                let mut __fields = __rt::FieldSet::EMPTY;
                #(if #patch.#names.is_some() { __fields = __fields.with(#indices); })*
                __fields
            }
            fn ingest(&self, mut #patch: #update, #ingest: &mut __rt::Ingest<'_>) -> #update {
                #(#reducers::take_in(&self.#names, &mut #patch.#names, #ingest);)*
                #patch
            }
            fn apply(&mut self, #patch: #update) {
                #(#reducers::apply(&mut self.#names, #patch.#names);)*
            }
            fn remerge(&self, mut #patch: #update) -> #update {
                #(#reducers::take_over(&self.#names, &mut #patch.#names);)*
                #patch
            }
            fn merged(&self, #fields_given: __rt::FieldSet) -> ::core::option::Option<#update> {
                let #patch = #update {
                    #(#names: if #fields_given.has(#numbers) { #reducers::merged(&self.#names) } else { ::core::option::Option::None },)*
                    __by: ::core::marker::PhantomData,
                };
                (false #(|| #patch.#names.is_some())*).then_some(#patch)
            }
            fn begin_turn(&mut self) {
                #(self.#per_turn = ::core::default::Default::default();)*
            }
            fn close(&self, #closing: __rt::Closing) -> ::core::option::Option<#update> {
                let #patch = #update {
                    #(#names: #reducers::close(&self.#names, #closing),)*
                    __by: ::core::marker::PhantomData,
                };
                (false #(|| #patch.#names.is_some())*).then_some(#patch)
            }
        }
    }
}

/// An update may come out of the node that it was made for.
fn step(State { name: owner, update, krate, .. }: &State<'_>) -> TokenStream {
    let unlisted = unlisted(krate);
    quote! {
        #unlisted
        impl<__N: __rt::Accepts<__By>, __By> __rt::IntoStep<#owner, __N> for #update<__By> {
            type Choice = __rt::Then;
            fn into_step(self) -> ::core::result::Result<__rt::Step<#update, __rt::Then>, __rt::NodeError> {
                ::core::result::Result::Ok(__rt::Step::Done(self.__widen(), __rt::Then))
            }
        }
    }
}

/// A state with a conversation takes text as a turn's input, and works with the ready-made nodes.
fn conversation(state: &State<'_>) -> TokenStream {
    let State { name: owner, update, .. } = state;
    let Some(field) = state.conversation() else { return TokenStream::new() };
    let (name, ty) = (field.name, field.ty.to_token_stream());
    let (delta, made, text) = (hidden("delta"), hidden("update"), hidden("text"));
    quote! {
        impl __rt::HasConversation for #owner {
            fn conversation(&self) -> &#ty {
                &self.#name
            }
            fn say<__N: __rt::Writes<Self, __rt::cap::Conversation>>(#delta: __rt::ConversationDelta) -> #update<__N> {
                let mut #made = <#owner as __rt::State>::update::<__N>();
                #made.#name = ::core::option::Option::Some(#delta);
                #made
            }
        }
        impl ::core::convert::From<&str> for #update {
            fn from(#text: &str) -> Self {
                <#owner as __rt::HasConversation>::say(::core::convert::Into::into(#text))
            }
        }
        impl ::core::convert::From<__rt::String> for #update {
            fn from(#text: __rt::String) -> Self {
                ::core::convert::From::from(#text.as_str())
            }
        }
    }
}
