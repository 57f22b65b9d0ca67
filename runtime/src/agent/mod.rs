//! Conversations, tools and models, and the question to the user before a tool runs.

mod message;
mod model;
mod scripted;
mod tool;
mod toolset;

pub use message::{Message, RawCall, Reply, ToolCall, ToolResult, ToolSpec, ToolStatus};
pub use model::{BoxFuture, Chat, ChatRequest, HasModel, MAX_CALLS, MAX_REPLY_BYTES, Model, ModelError, ModelProvider, Part, Parts};
pub use schemars::{self, JsonSchema};
pub use scripted::{Heard, Scripted};
pub use tool::{MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES, NoArgs, Tool, ToolError, ToolReturn};
pub use toolset::{HasTools, Toolset, ToolsetError};
