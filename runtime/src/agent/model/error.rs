//! Why a model gave no reply.

use std::time::Duration;

use super::parts::{MAX_CALLS, MAX_REPLY_BYTES};
use crate::error::{BoxError, Class};

/// Why a model gave no reply. No text of it holds a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Nobody answered: no connection, or one that broke.
    #[error("cannot reach the model `{model}`: {cause}")]
    Unreachable {
        /// The model.
        model: String,
        /// What the network says.
        cause: String,
    },
    /// The model was silent for too long.
    #[error("the model `{model}` was silent for too long")]
    TimedOut {
        /// The model.
        model: String,
    },
    /// Too many calls, or too many tokens, for now.
    #[error("the model `{model}` takes no more calls for now{}", after(.retry_after))]
    RateLimited {
        /// The model.
        model: String,
        /// When to try again, if the server says so.
        retry_after: Option<Duration>,
    },
    /// The key is missing, wrong, or not good for this model.
    #[error("the model `{model}` refuses the key: {hint}")]
    Unauthorized {
        /// The model.
        model: String,
        /// Where the key is looked for.
        hint: String,
    },
    /// The request is one that the model does not take.
    #[error("the model `{model}` refuses the request (HTTP {status}): {message}")]
    Refused {
        /// The model.
        model: String,
        /// The HTTP status.
        status: u16,
        /// What the server says, cut.
        message: String,
    },
    /// The server has trouble of its own.
    #[error("the model `{model}` has trouble of its own (HTTP {status}): {message}")]
    Server {
        /// The model.
        model: String,
        /// The HTTP status.
        status: u16,
        /// What the server says, cut.
        message: String,
    },
    /// What came back is not what the protocol says.
    #[error("the reply of the model `{model}` cannot be read: {what}")]
    Malformed {
        /// The model.
        model: String,
        /// What is wrong.
        what: String,
    },
    /// The reply broke off.
    #[error("the reply of the model `{model}` broke off")]
    CutOff {
        /// The model.
        model: String,
    },
    /// The reply is longer than anything sensible.
    #[error("the model's reply is longer than {MAX_REPLY_BYTES} bytes")]
    TooLong,
    /// The reply calls more tools than anything sensible.
    #[error("the model's reply calls more than {MAX_CALLS} tools")]
    TooManyCalls,
    /// The reply is no JSON of the shape that was asked for.
    #[error("the reply of the model `{model}` does not fit{}: {fault}", at(.field))]
    Misfit {
        /// The model.
        model: String,
        /// The field that is wrong; empty if it is the whole.
        field: String,
        /// What is wrong with it. Not what the model said.
        fault: String,
    },
    /// A call in the conversation has no result: no provider takes that.
    #[error("the model `{model}` would read call `{call}`, which has no result: give every call one before a model is asked")]
    OpenCall {
        /// The model.
        model: String,
        /// The call.
        call: String,
    },
    /// The turn has used all the tokens that it may.
    #[error("the turn has used {used} tokens, and may use {budget}: no model is asked any more")]
    BudgetSpent {
        /// What it has used.
        used: u64,
        /// What it may.
        budget: u64,
    },
    /// A rewriter failed: nothing of the reply counts.
    #[error("a rewriter of the model `{model}` failed, and nothing of the reply counts: {source}")]
    Rewriter {
        /// The model.
        model: String,
        /// The rewriter's error.
        source: BoxError,
        /// How it is to be met.
        class: Class,
    },
    /// A script has no reply left.
    #[error("the script has {replies} replies, and this is call {call}: add a reply, or find out why the model is called so often")]
    ScriptEnded {
        /// Replies of the script.
        replies: usize,
        /// The call, from one.
        call: usize,
    },
    /// A provider's own error.
    #[error("the model `{model}` failed: {source}")]
    Other {
        /// The model.
        model: String,
        /// The error.
        source: BoxError,
        /// How it is to be met.
        class: Class,
    },
}

fn after(wait: &Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| format!("; try again in {} s", wait.as_secs()))
}

fn at(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!(" at `{field}`") }
}

impl ModelError {
    /// How it is to be met: a node that fails with it, also by `?`, is of the same class.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::RateLimited { .. } | Self::Server { .. } | Self::CutOff { .. } => {
                Class::Transient
            }
            Self::Unauthorized { .. }
            | Self::Refused { .. }
            | Self::OpenCall { .. }
            | Self::BudgetSpent { .. }
            | Self::ScriptEnded { .. } => Class::Fatal,
            // Another try may give another reply.
            Self::Malformed { .. } | Self::Misfit { .. } | Self::TooLong | Self::TooManyCalls => Class::Unknown,
            Self::Rewriter { class, .. } | Self::Other { class, .. } => *class,
        }
    }
}
