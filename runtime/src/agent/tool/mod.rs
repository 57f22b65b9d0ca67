//! What a model can call: functions with typed arguments.

mod approval;
mod args;
mod contain;
mod error;
mod join;
mod output;

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use approval::{NeedsApproval, needs_approval};
pub use args::{MAX_ARGUMENT_BYTES, NoArgs};
pub use error::ToolError;
pub use output::MAX_RESULT_BYTES;

pub(crate) use args::{fit, parse};
pub(crate) use contain::contain;
pub(crate) use error::Fault;
pub(crate) use join::join;
pub(crate) use output::{cut, render};

use crate::context::Context;

/// A tool over dependencies `D`. [`#[tool]`](crate::tool) writes it; by hand it is short as well:
///
/// ```
/// use graphwright::Context;
/// use graphwright::agent::{JsonSchema, Tool, ToolError, schemars};
/// use serde::Deserialize;
///
/// /// Which order.
/// #[derive(Deserialize, JsonSchema)]
/// struct Order { number: u32 }
///
/// struct Status;
/// impl<D: Send + Sync> Tool<D> for Status {
///     const NAME: &'static str = "status";
///     const DESCRIPTION: &'static str = "Tells how far an order is.";
///     type Args = Order;
///     type Ret = Result<String, ToolError>;
///     async fn call(order: Order, _: &Context<D>) -> Result<String, ToolError> {
///         if order.number == 0 { return Err(ToolError::from("there is no order 0")) }
///         Ok("on its way".to_owned())
///     }
/// }
/// ```
///
/// A call that fails, panics or has arguments that do not fit becomes a result that the model reads; the graph goes on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool over dependencies `{D}`",
    label = "not a tool here",
    note = "annotate its function with `#[tool]`; a tool that takes a context takes `&Context<{D}>`"
)]
pub trait Tool<D>: 'static {
    /// What the model calls it: 1 to 64 ASCII letters, digits, `_` and `-`, and not `ask_user`.
    const NAME: &'static str;
    /// What it does, for the model.
    const DESCRIPTION: &'static str = "";
    /// Whether somebody may have to approve a call of it before it runs.
    const NEEDS_APPROVAL: bool = false;
    /// Its arguments: what does not deserialize never reaches the tool.
    type Args: DeserializeOwned + JsonSchema + Send;
    /// What it returns: `Result<T, ToolError>`. A string reaches the model as it is, another `T` as JSON.
    type Ret: ToolReturn;

    /// Whether this call has to be approved before it runs: asked where the call is put to somebody, and again before it
    /// runs. A panic counts as yes.
    fn needs_approval(_args: &Self::Args, _cx: &Context<D>) -> bool {
        Self::NEEDS_APPROVAL
    }

    /// Does it. It may run again after a crash: [`Context::idempotency_key`] is the same then, and of this call alone.
    /// An error is what the model reads in place of a result.
    fn call(args: Self::Args, cx: &Context<D>) -> impl Future<Output = Self::Ret> + Send;
}

/// What a tool may return: every `Result` of something that can be written as JSON, whose error goes into a [`ToolError`].
#[diagnostic::on_unimplemented(
    message = "a tool returns `Result<T, ToolError>`, and this returns `{Self}`",
    label = "not a result of a tool",
    note = "`T` is text, or anything that implements `Serialize`; the error may be anything that `?` takes"
)]
pub trait ToolReturn {
    /// The `T`.
    type Output: Serialize;
    /// As the trait wants it.
    ///
    /// # Errors
    /// The tool's own.
    fn into_result(self) -> Result<Self::Output, ToolError>;
}

impl<T: Serialize, E: Into<ToolError>> ToolReturn for Result<T, E> {
    type Output = T;
    fn into_result(self) -> Result<T, ToolError> {
        self.map_err(Into::into)
    }
}
