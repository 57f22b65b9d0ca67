//! What generated code asks of a user's types, so that a wrong one is one error.

/// `<T as Sound<{ CHECK }>>::It` is `T`, and depends on the constant `CHECK`. Where that does not compile rustc knows
/// nothing of the type: what is wrong was said in the constant, and whatever is made of the type stays silent.
pub trait Sound<const CHECK: bool> {
    /// The type itself.
    type It: ?Sized;
}
impl<T: ?Sized> Sound<true> for T {
    type It = T;
}

/// What the dependencies of a graph must be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the dependencies of a graph [GW080]",
    label = "not shared between threads",
    note = "dependencies are `Send`, `Sync` and `'static`: use `Arc` for `Rc`, `Mutex` for `RefCell`"
)]
pub trait Dependencies {
    /// Names the trait where a graph asks for it.
    const FIT: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Dependencies for T {}
