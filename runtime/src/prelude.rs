//! What almost every file with a graph in it needs.

pub use crate::{Answer, Ask, BadAnswer, Context, Interrupt, NodeError, NodeResult, Question, Route, State, Turn, Update, node, router};

#[cfg(feature = "agent")]
pub use crate::{agent::ToolError, tool, toolset};

pub use serde::{Deserialize, Serialize};
