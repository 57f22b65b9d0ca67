//! Where errors point, and which names the user can see.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};

/// A name that no code of the user can see or shadow. The underscores are for items, which hygiene does not hide: a
/// parameter may not be called as a constant is.
pub(crate) fn hidden(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// A group whose delimiters carry a location of the user, while the words in it do not: rustc underlines from the first
/// to the last token, and go-to-definition follows words only.
pub(crate) fn group(delimiter: Delimiter, span: Span, tokens: TokenStream) -> Group {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(span);
    group
}
