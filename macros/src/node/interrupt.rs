//! `#[node]` on an `impl Interrupt`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, GenericArgument, Generics, PathArguments, Token, Type};

use super::{Writes, returns, writes};
use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::marker;
use crate::names::unraw;
use crate::signature::{cfgs, with_parameters};
use crate::spans::hidden;

const KEYS: &[&str] = &["elicitation", "approves", "writes", "crate"];
/// The tool by which a model asks.
const RESERVED: &str = "ask_user";
const LONGEST: usize = 64;

/// The head of the `impl`, and the two types in it; the functions are left alone.
struct Interrupt {
    attrs: Vec<Attribute>,
    generics: Generics,
    path: syn::Path,
    is_trait: bool,
    name: Type,
    question: Option<Type>,
    answer: Option<Type>,
    /// Whether it may have a `notify` of its own.
    notifies: bool,
}

impl Parse for Interrupt {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<Option<Token![unsafe]>>()?;
        input.parse::<Token![impl]>()?;
        let mut generics: Generics = if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let first: Type = input.parse()?;
        let is_trait = input.parse::<Option<Token![for]>>()?.is_some();
        let name = if is_trait { input.parse()? } else { first.clone() };
        let path = match first {
            Type::Path(path) => path.path,
            other => return Err(syn::Error::new_spanned(other, "expected a trait")),
        };
        generics.where_clause = input.parse()?;
        let body;
        syn::braced!(body in input);
        let (mut question, mut answer, mut notifies) = (None, None, false);
        while !body.is_empty() {
            if body.peek(Token![type]) {
                body.parse::<Token![type]>()?;
                let name: Ident = body.parse()?;
                body.parse::<Token![=]>()?;
                let ty: Type = body.parse()?;
                match name.to_string().as_str() {
                    "Question" => question = Some(ty),
                    "Answer" => answer = Some(ty),
                    _ => {}
                }
            } else if body.peek(Token![fn]) {
                body.parse::<Token![fn]>()?;
                notifies |= body.peek(Ident::peek_any) && body.call(Ident::parse_any)? == "notify";
            } else {
                // What a macro in it is expanded to is not seen.
                notifies |= matches!(body.parse::<TokenTree>()?, TokenTree::Punct(mark) if mark.as_char() == '!');
            }
        }
        Ok(Self { attrs, generics, path, is_trait, name, question, answer, notifies })
    }
}

/// What a sound one is made of.
struct Parts<'a> {
    name: &'a Ident,
    state: &'a Type,
    deps: &'a Type,
    /// Of an `InterruptEach`.
    item: Option<&'a Type>,
    question: &'a Type,
    answer: &'a Type,
}

impl Interrupt {
    fn parts(&self, errors: &mut Diagnostics) -> Option<Parts<'_>> {
        let last = self.path.segments.last()?;
        let each = last.ident == "InterruptEach";
        if !self.is_trait || (last.ident != "Interrupt" && !each) {
            errors.error_spanned(&self.path, say::not_interrupt());
            return None;
        }
        let name = match &self.name {
            Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        };
        let Some(name) = name else {
            errors.error_spanned(&self.name, say::interrupt_self());
            return None;
        };
        check_name(name, errors);
        let arguments = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
            _ => Vec::new(),
        };
        let (state, deps, item) = match arguments.as_slice() {
            [GenericArgument::Type(state), GenericArgument::Type(deps)] if !each => (state, deps, None),
            [GenericArgument::Type(state), GenericArgument::Type(deps), GenericArgument::Type(item)] if each => (state, deps, Some(item)),
            _ => {
                errors.error_spanned(&self.path, if each { say::interrupt_each_arguments() } else { say::interrupt_arguments() });
                return None;
            }
        };
        // rustc, too, says of a missing type that it is missing; but not what to write.
        let lacks = |item, example| (last.ident.span(), say::interrupt_lacks(item, example));
        match (&self.question, &self.answer) {
            (Some(question), Some(answer)) => Some(Parts { name, state, deps, item, question, answer }),
            (None, _) => {
                let (span, text) = lacks("Question", "Refund");
                errors.error(span, text);
                None
            }
            (_, None) => {
                let (span, text) = lacks("Answer", "bool");
                errors.error(span, text);
                None
            }
        }
    }
}

/// The name is what questions, tokens and inboxes carry.
fn check_name(name: &Ident, errors: &mut Diagnostics) {
    let text = unraw(name);
    let length = text.chars().count();
    if text == RESERVED {
        errors.error(name.span(), say::reserved_name(&text));
    } else if length > LONGEST {
        errors.error(name.span(), say::long_name(length));
    }
}

/// The `impl`, and what we add. One that is wrong by itself is left out: rustc would say more of it, and nothing new.
pub(super) fn expand(arguments: TokenStream, item: &TokenStream, errors: &mut Diagnostics) -> TokenStream {
    let keys = Keys::parse([arguments], "node", KEYS, errors);
    let elicitation = keys.flag("elicitation", errors).is_some();
    let role = if elicitation { quote!(Elicitation) } else { quote!(Interrupt) };
    let approves = keys.flag("approves", errors);
    if let (Some(span), true) = (approves, elicitation) {
        errors.error(span, say::elicitation_approves());
    }
    let approves = approves.is_some();
    let fields = keys.list("writes", errors);
    let krate = keys.krate(errors);
    let interrupt: Interrupt = match syn::parse2(item.clone()) {
        Ok(interrupt) => interrupt,
        Err(_) => {
            errors.error(super::keyword(item).map_or_else(Span::call_site, |word| word.span()), say::not_interrupt());
            return TokenStream::new();
        }
    };
    let Some(parts) = interrupt.parts(errors) else { return TokenStream::new() };

    let notifies = interrupt.notifies;
    let Parts { name, state, deps, item: each, question, answer } = parts;
    let any_item = [format_ident!("__I")];
    let (about, place) = (marker::about(name, &interrupt.attrs), marker::place(name));
    let generics = &interrupt.generics;
    let is_parameter = matches!(state, Type::Path(path) if generics.type_params().any(|p| path.path.is_ident(&p.ident)));
    let Writes { impls, set } = writes(&interrupt.name, (!is_parameter).then_some(state), fields.as_deref(), errors);
    let returns = returns(name, generics, state);
    let must_be_state = marker::must_be_state(generics, state);
    let loose = syn::parse_quote!(__I);
    let item_ty = each.unwrap_or(&loose);
    // Whatever the item is, it is shared with the future.
    let shared = each.is_none().then(|| quote!(__I: ::core::marker::Sync,));
    let params = with_parameters(generics, if each.is_none() { &any_item } else { &[] });
    let bounds = marker::bounds(generics, Some(quote!(#shared #must_be_state)));
    let [s, i, cx, asked, given, token, record] = ["state", "item", "cx", "asked", "answer", "token", "record"].map(hidden);
    let items = quote! {
        impl __rt::NodeMeta for #name {
            #about
            #place
            const ROLE: __rt::Role = __rt::Role::#role;
            const PAUSES: bool = true;
            const APPROVES: bool = #approves;
            const NOTIFIES: bool = #notifies;
        }
        impl __rt::Asks for #name {
            type Question = #question;
            type Answer = #answer;
        }
        #impls
        #returns
        #[allow(unreachable_pub, dead_code)]
        impl #name {
            /// An answer for a token, of this interrupt's type: `app.redeem(token, Self::answer(..))`.
            pub fn answer(#given: __rt::Answer<#answer>) -> __rt::TypedAnswer {
                __rt::TypedAnswer::new::<#name>(#given)
            }
        }
        impl #params __rt::Node<#state, #deps, #item_ty> for #name #bounds {
            type Ret = __rt::AskedOf<#state, #deps, #name, #item_ty>;
            type Open = __rt::Open<#name>;
            #set
            fn run(#s: &#state, #i: &#item_ty, #cx: &__rt::Context<#deps>) -> impl ::core::future::Future<Output = Self::Ret> + ::core::marker::Send {
                async move { __rt::AskedOf::new(#s, #i, <#name as __rt::InterruptEach<#state, #deps, #item_ty>>::ask(#s, #i, #cx).await) }
            }
            fn resume(
                #s: &#state,
                #i: &#item_ty,
                #asked: &__rt::serde_json::Value,
                #given: &__rt::serde_json::Value,
            ) -> ::core::result::Result<__rt::Resumed<#state, Self, #deps, #item_ty>, __rt::Refused> {
                __rt::resume::<#state, #deps, #item_ty, #name>(#s, #i, #asked, #given)
            }
            fn notify(
                #s: &#state,
                #i: &#item_ty,
                #asked: &__rt::serde_json::Value,
                #token: &__rt::Token,
                #cx: &__rt::Context<#deps>,
            ) -> impl ::core::future::Future<Output = ::core::result::Result<(), __rt::NodeError>> + ::core::marker::Send {
                __rt::notify::<#state, #deps, #item_ty, #name>(#s, #i, #asked, #token, #cx)
            }
            fn open(#record: __rt::OpenRecord) -> ::core::result::Result<Self::Open, __rt::Refused> {
                __rt::Open::new(#record)
            }
        }
    };
    let hidden = marker::hidden_block(&krate, cfgs(&interrupt.attrs), &items);
    quote!(#item #hidden)
}
