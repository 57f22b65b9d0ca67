//! Conversations, tools and models, and the question to the user before a tool runs.

mod approval;
mod ask_user;
mod conversation;
mod elicit;
mod gate;
#[cfg(feature = "genai")]
mod genai;
mod json;
mod message;
mod model;
mod nodes;
mod routers;
mod schema;
mod scripted;
mod tool;
mod toolset;

pub use approval::{Approval, ApproveCall, CallState, Ran, ToolCall, approve, open_calls, run_call};
pub use ask_user::{
    ASK_USER, AnswerFault, AnswerFaults, AskUserAnswer, AskUserOption, AskUserQuestion, AskUserQuestionInput, AskUserRequest,
    AskUserRequestInput, AskUserResponse, ContractError, ask_user_tool, display_text, validate_against_request,
};
pub use conversation::{
    Conversation, ConversationDelta, HasConversation, Older, PendingAsk, Talk, Window, ask_user_pending_is_current, cap,
};
pub use elicit::{AskUser, NothingToAsk, elicitation};
pub use gate::ask_user_pending;
#[cfg(feature = "genai")]
pub use genai::{GenaiModel, NotOurs};
pub use message::{Call, Message, RawCall, Reply, ToolResult, ToolSpec, ToolStatus};
pub use model::{
    BoxFuture, Chat, ChatRequest, HasModel, Json, JsonChat, MAX_CALLS, MAX_REPLY_BYTES, Messages, Model, ModelError, ModelProvider, Part,
    Parts, ReplyFormat, Rewriter, Transcript,
};
pub use nodes::{react, tools};
pub use routers::{RepeatLimits, ToolCalls, close_repeating, tool_calls};
/// Bring it into scope beside [`JsonSchema`], whose derive looks for it there: `use graphwright::agent::{JsonSchema, schemars};`.
pub use schemars;
pub use schemars::JsonSchema;
pub use scripted::{Heard, Scripted};
pub use tool::{MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES, NeedsApproval, NoArgs, Tool, ToolError, ToolReturn};
pub use toolset::{HasTools, ToolGuard, Toolset, ToolsetError, Verdict};

#[doc(hidden)]
pub use tool::needs_approval;
