//! The door of `graph!`: it forwards `$crate`, so that a renamed or re-exported crate works.

/// Writes a graph: places, the ways between them, one state type, one dependencies type.
///
/// The expansion is a unit struct of the graph's name that implements [`Graph`](crate::Graph).
#[macro_export]
macro_rules! graph {
    ($($tokens:tt)*) => { $crate::__private::graph_macro! { $crate; $($tokens)* } };
}

// The editor gets another expansion than rustc. The cfg is asked about here, so that no user's crate has to declare it.
#[doc(hidden)]
#[cfg(rust_analyzer)]
#[macro_export]
macro_rules! __face {
    (ide { $($ide:tt)* } rustc { $($rustc:tt)* }) => { $($ide)* };
}

#[doc(hidden)]
#[cfg(not(rust_analyzer))]
#[macro_export]
macro_rules! __face {
    (ide { $($ide:tt)* } rustc { $($rustc:tt)* }) => { $($rustc)* };
}
