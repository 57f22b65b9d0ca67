//! The path to the runtime: forwarded as `$crate` by `graph!`, or `crate = path` in an attribute.

use syn::Path;

/// Where attributes look unless they are told otherwise.
pub(crate) fn default() -> Path {
    syn::parse_quote!(::graphwright)
}
