//! Conversations, tools and models, and the question to the user before a tool runs.

mod message;

pub use message::{Message, RawCall, Reply, ToolCall, ToolResult, ToolSpec, ToolStatus};
