//! What almost every file with a graph in it needs.

pub use crate::{
    Answer, App, Ask, BadAnswer, Context, GraphExt, Interrupt, Memory, NodeError, NodeResult, Outcome, Question, Route, RunError, State,
    Turn, Update, graph, node, router,
};

#[cfg(feature = "sqlite")]
pub use crate::Sqlite;
#[cfg(feature = "agent")]
pub use crate::{agent::ToolError, tool, toolset};

pub use serde::{Deserialize, Serialize};
