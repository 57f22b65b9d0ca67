//! What generated code asks of a user's types, so that a wrong one is one error.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::state::State;

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
    message = "`{Self}` cannot be the dependencies of a graph [GW030]",
    label = "not shared between threads",
    note = "dependencies are `Send`, `Sync` and `'static`: use `Arc` for `Rc`, `Mutex` for `RefCell`"
)]
pub trait Dependencies {
    /// Names the trait where a graph asks for it.
    const FIT: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Dependencies for T {}

/// What `#[graph(input = ..)]` must be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of a graph over `{S}` [GW030]",
    label = "becomes no update",
    note = "write `impl From<{Self}> for Update<{S}>`: a turn begins with that update"
)]
pub trait InputOf<S: State> {
    /// Names the trait where a graph asks for it.
    const FIT: () = ();
}
#[diagnostic::do_not_recommend]
impl<S: State, T: Into<S::Patch>> InputOf<S> for T {}

/// What `#[graph(settings = ..)]` must be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the settings of a graph [GW030]",
    label = "cannot be stored with a turn",
    note = "settings are `Serialize`, `Deserialize`, `Send`, `Sync` and `'static`"
)]
pub trait SettingsOf {
    /// Names the trait where a graph asks for it.
    const FIT: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> SettingsOf for T {}

/// What `#[graph(output = ..)]` must be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a graph over `{S}` [GW030]",
    label = "cannot be made of the state",
    note = "write `impl From<&{S}> for {Self}`"
)]
pub trait OutputOf<S: State> {
    /// Names the trait where a graph asks for it.
    const FIT: () = ();
}
#[diagnostic::do_not_recommend]
impl<S: State, T: for<'a> From<&'a S> + Send + 'static> OutputOf<S> for T {}
