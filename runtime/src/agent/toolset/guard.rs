//! What may stop a call before its tool runs.

use std::future::{Future, ready};

use crate::agent::message::Call;
use crate::agent::model::BoxFuture;
use crate::context::Context;
use crate::error::NodeError;

/// Looks at a call before its tool runs, after whoever had to approve it: [`Toolset::guarded`](super::Toolset::guarded).
///
/// It may change the run, so it fails closed: an error or a panic in it refuses the call. A function of the call and the
/// context is one; by hand it may wait and fail:
///
/// ```
/// use graphwright::agent::{Call, ToolGuard, Verdict};
/// use graphwright::{Context, NodeError};
///
/// struct Quota;
/// impl<D: Send + Sync> ToolGuard<D> for Quota {
///     async fn before_tool(&self, call: &Call, _: &Context<D>) -> Result<Verdict, NodeError> {
///         Ok(if call.name == "issue_refund" { Verdict::Skip { result: "No more refunds today.".to_owned() } } else { Verdict::Proceed })
///     }
/// }
/// ```
pub trait ToolGuard<D>: Send + Sync + 'static {
    /// Whether the tool may run.
    fn before_tool(&self, call: &Call, cx: &Context<D>) -> impl Future<Output = Result<Verdict, NodeError>> + Send;
}

/// What a guard says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may run, as far as this guard is concerned.
    Proceed,
    /// It does not run; no later guard is asked.
    Skip {
        /// What the model reads in place of a result.
        result: String,
    },
}

impl<D, F: Fn(&Call, &Context<D>) -> Verdict + Send + Sync + 'static> ToolGuard<D> for F {
    fn before_tool(&self, call: &Call, cx: &Context<D>) -> impl Future<Output = Result<Verdict, NodeError>> + Send {
        ready(Ok(self(call, cx)))
    }
}

/// A guard without its type.
pub(super) trait AnyGuard<D>: Send + Sync {
    fn look<'a>(&'a self, call: &'a Call, cx: &'a Context<D>) -> BoxFuture<'a, Result<Verdict, NodeError>>;
}

impl<D: Send + Sync, G: ToolGuard<D>> AnyGuard<D> for G {
    fn look<'a>(&'a self, call: &'a Call, cx: &'a Context<D>) -> BoxFuture<'a, Result<Verdict, NodeError>> {
        // The guard itself is called in the future, so that its panic is caught there.
        Box::pin(async move { self.before_tool(call, cx).await })
    }
}
