//! Approval of single calls: a graph that asks where a tool needs it, and then runs the call.

mod ask;
mod decision;
mod graph;
mod question;
mod state;

pub use ask::approve;
pub use decision::Approval;
pub use graph::{Ran, ToolCall, open_calls, run_call};
pub use question::ApproveCall;
pub use state::CallState;
