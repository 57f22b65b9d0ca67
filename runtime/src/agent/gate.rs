//! The gate: has the model asked the user something that is still open?

use graphwright_macros::router;

use super::conversation::{HasConversation, ask_user_pending_is_current};
use crate::turn::Turn;

/// Whether the user must be asked now: the guard that the checker knows, `react -> elicitation if ask_user_pending;`.
///
/// A question of another turn, or one that is too old, is the same as none.
#[router(gate, crate = crate)]
pub fn ask_user_pending<S: HasConversation>(state: &S, turn: &Turn) -> bool {
    ask_user_pending_is_current(state.conversation().pending_of(turn.id()), turn.id(), turn.now(), None)
}
