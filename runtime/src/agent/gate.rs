//! The gate: has the model asked the user something that is still open?

use super::conversation::{HasConversation, ask_user_pending_is_current};
use crate::route::{Router, RouterMeta};
use crate::turn::Turn;

/// Whether the user must be asked now: the guard that the checker knows, `react -> elicitation if ask_user_pending;`.
///
/// A question of another turn, or one that is too old, is the same as none.
pub fn ask_user_pending<S: HasConversation>(state: &S, turn: &Turn) -> bool {
    ask_user_pending_is_current(state.conversation().pending_of(turn.id()), turn.id(), turn.now(), None)
}

/// Whether the user must be asked now: the guard that the checker knows, `react -> elicitation if ask_user_pending;`.
#[derive(Debug, Clone, Copy)]
#[expect(non_camel_case_types, reason = "a router is called as its function is")]
pub struct ask_user_pending {}

impl RouterMeta for ask_user_pending {
    const NAME: &'static str = "ask_user_pending";
    const DOCS: &'static str = "Whether the user must be asked now.";
    const GATE: bool = true;
}

impl<S: HasConversation> Router<S> for ask_user_pending {
    type Out = bool;
    fn route(state: &S, turn: &Turn) -> bool {
        ask_user_pending(state, turn)
    }
}
