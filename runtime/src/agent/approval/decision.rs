//! What somebody may say of a call.

use std::fmt;

use graphwright_macros::Route;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::message::Unshown;

/// What somebody says of a call that waits for them: the answer to [`ApproveCall`](super::ApproveCall).
///
/// As JSON: `"approve"`, `{"edit": {..}}`, `{"reject": "why"}`, `{"respond": "the result"}`. Its `Debug` shows neither
/// arguments nor texts.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema, Route)]
#[serde(rename_all = "snake_case")]
#[route(crate = crate)]
pub enum Approval {
    /// It runs as it is.
    Approve,
    /// It runs with these arguments. They are approved by this: nobody is asked again.
    Edit(Value),
    /// It does not run, and the model reads why.
    Reject(String),
    /// It does not run, and this is its result. To what a tool itself asks, this is the answer.
    Respond(String),
}

impl fmt::Debug for Approval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Approve => f.write_str("Approve"),
            Self::Edit(_) => f.write_str("Edit(..)"),
            Self::Reject(why) => f.debug_tuple("Reject").field(&Unshown(why)).finish(),
            Self::Respond(text) => f.debug_tuple("Respond").field(&Unshown(text)).finish(),
        }
    }
}
