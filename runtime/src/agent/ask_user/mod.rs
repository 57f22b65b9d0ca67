//! What a model may ask the user, and what the user may answer: contracts that hold once a value exists.
//!
//! Every type is checked when it is built and when it is read from JSON, and cannot be changed afterwards. Lengths are
//! counted in characters (Unicode scalar values). Unknown JSON fields are ignored. Text that a person will be shown is
//! cleaned by [`display_text`] on the way in, so that what is stored is what was seen.

mod answer;
mod fault;
mod parse;
mod question;
mod text;
mod tool;

pub use answer::{AskUserAnswer, AskUserResponse, validate_against_request};
pub use fault::{AnswerFault, AnswerFaults, ContractError};
pub use question::{AskUserOption, AskUserQuestion, AskUserQuestionInput, AskUserRequest, AskUserRequestInput};
pub use text::display_text;
pub use tool::{ASK_USER, ask_user_tool};

pub(crate) use parse::{Malformed, parse};
pub(crate) use text::{cut, unseen};
