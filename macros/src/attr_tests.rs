//! What the attributes and derives emit, seen as tokens.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::{self, Visit};

use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::{node, route, router, state};

fn parsed(tokens: TokenStream) -> syn::DeriveInput {
    syn::parse2(tokens).unwrap()
}

fn order() -> TokenStream {
    state::expand(&parsed(quote! {
        pub struct Order {
            #[state(append)] notes: Vec<String>,
            #[state(merge)] tags: BTreeMap<String, u64>,
            #[state(sum)] total: u64,
            #[state(with = self::longer)] title: String,
            #[state(conversation)] talk: Conversation,
            draft: Option<String>,
        }
    }))
}

fn interrupt() -> TokenStream {
    quote! {
        impl Interrupt<Order, Deps> for Approve {
            type Question = Refund;
            type Answer = bool;
            async fn ask(order: &Order, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> { order. }
        }
    }
}

/// One of everything.
fn all() -> Vec<TokenStream> {
    vec![
        order(),
        route::expand(&parsed(quote!(
            enum Next {
                Again,
                Done,
            }
        ))),
        route::expand(&parsed(quote!(
            enum Decision {
                Approve,
                Edit(String),
                Reject { why: String },
            }
        ))),
        node::expand(
            quote!(model, asks),
            quote!(
                pub async fn think(order: &Order, cx: &Context<Deps>) -> NodeResult<Order> {}
            ),
        ),
        node::expand(
            quote!(writes(draft)),
            quote!(
                fn draft(_: &Order) -> NodeResult<draft> {}
            ),
        ),
        node::expand(
            quote!(),
            quote!(
                fn any<S: State, D>(_: &S, _: &Context<D>)
                where
                    D: Send,
                {
                }
            ),
        ),
        node::expand(
            quote!(),
            quote!(
                fn wrong(order: Order) {}
            ),
        ),
        router::expand(
            quote!(),
            quote!(
                fn next(order: &Order, turn: &Turn) -> Next {}
            ),
        ),
        router::expand(
            quote!(),
            quote!(
                async fn wrong(order: &Order) -> bool {}
            ),
        ),
    ]
}

#[test]
fn it_is_items() {
    for tokens in all() {
        let text = tokens.to_string();
        let file = syn::parse2(tokens).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(!prettyplease::unparse(&file).is_empty());
    }
}

#[test]
fn it_is_the_same_twice() {
    let texts = || all().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(), texts());
}

#[test]
fn a_function_comes_first_and_untouched_whatever_is_wrong_with_it() {
    let bodies = [quote!({ order. }), quote!({ let x = }), quote!({ Ok(Order::update().) }), quote!({ if })];
    for body in bodies {
        let item = quote!(/** Counts. */ #[cfg(test)] pub async fn count(order: &Order) -> NodeResult<Order> #body);
        for arguments in [quote!(), quote!(model), quote!(nonsense = , ,), quote!("text")] {
            let expanded = node::expand(arguments.clone(), item.clone()).to_string();
            assert!(expanded.starts_with(&item.to_string()), "{expanded}");
            assert!(expanded.contains("struct count { }"), "{expanded}");
            let expanded = router::expand(arguments, item.clone()).to_string();
            assert!(expanded.starts_with(&item.to_string()), "{expanded}");
        }
    }
    let expanded = node::expand(quote!(), interrupt()).to_string();
    assert!(expanded.starts_with(&interrupt().to_string()), "{expanded}");
    assert!(!expanded.contains("compile_error"), "{expanded}");
}

/// The first words of all paths that begin with `::`.
#[derive(Default)]
struct Roots(BTreeSet<String>);

impl<'ast> Visit<'ast> for Roots {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_some() {
            self.0.extend(path.segments.first().map(|first| first.ident.to_string()));
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        // In `<T>::name` the colons belong to `T`.
        match &path.qself {
            Some(this) if this.position == 0 => visit::visit_type(self, &this.ty),
            _ => visit::visit_expr_path(self, path),
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        assert!(item.leading_colon.is_some(), "a relative import depends on where it stands");
        if let syn::UseTree::Path(path) = &item.tree {
            self.0.insert(path.ident.to_string());
        }
    }
}

#[test]
fn every_word_that_is_wrong_is_told_and_the_others_are_kept() {
    let mut errors = Diagnostics::default();
    let keys =
        Keys::parse([quote!(modle, tools, "text", writes(a, b, a), tools, asks = true)], "node", &["tools", "asks", "writes"], &mut errors);
    assert!(keys.flag("tools", &mut errors).is_some());
    assert_eq!(keys.list("writes", &mut errors).unwrap().len(), 2);
    let first_lines: Vec<String> = errors.texts().iter().filter_map(|text| text.lines().next().map(str::to_owned)).collect();
    assert_eq!(
        first_lines,
        [
            "this is neither `word`, `word(a, b)` nor `word = path` [GW063]",
            "`modle` is not a word of `#[node]` [GW061]",
            "`tools` stands here twice [GW062]",
            "`a` stands here twice [GW062]",
        ]
    );
}

#[test]
fn it_names_the_door_and_core_and_nothing_else() {
    let mut roots = Roots::default();
    for tokens in all() {
        roots.visit_file(&syn::parse2(tokens).unwrap());
    }
    assert_eq!(roots.0.iter().collect::<Vec<_>>(), ["core", "graphwright"]);
}
