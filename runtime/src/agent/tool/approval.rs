//! Which calls of a tool somebody has to approve.

use crate::context::Context;

/// What `#[tool(needs_approval = ..)]` can name: a function of the arguments, or of these and the context. `M` tells which.
#[diagnostic::on_unimplemented(
    message = "`needs_approval = ..` wants a function of the tool's arguments that returns a bool [GW096]",
    label = "does not fit",
    note = "`fn above_limit(args: &{A}) -> bool`",
    note = "where the tool takes a context, it may take that as well: `cx: &Context<Deps>`"
)]
pub trait NeedsApproval<A, D, M> {
    /// Whether this call has to be approved.
    fn needs(self, args: &A, cx: &Context<D>) -> bool;
}

impl<A, D, F: Fn(&A) -> bool> NeedsApproval<A, D, (A,)> for F {
    fn needs(self, args: &A, _: &Context<D>) -> bool {
        self(args)
    }
}

impl<A, D, F: Fn(&A, &Context<D>) -> bool> NeedsApproval<A, D, (A, D)> for F {
    fn needs(self, args: &A, cx: &Context<D>) -> bool {
        self(args, cx)
    }
}

/// What `#[tool(needs_approval = ..)]` writes for [`Tool::needs_approval`](super::Tool::needs_approval).
pub fn needs_approval<A, D, M, F: NeedsApproval<A, D, M>>(predicate: F, args: &A, cx: &Context<D>) -> bool {
    predicate.needs(args, cx)
}
