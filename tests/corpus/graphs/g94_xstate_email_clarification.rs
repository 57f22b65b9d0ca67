//! Stately's mail: the question to the user in its purest form.

use super::stub::*;

stubs! {
    asking checking;
    model submitting;
    plain done;
}

graph! {
    pub(crate) XstateEmailClarification(State, Deps) {
        start -> checking;
        checking -> clarifying if ask_user_pending;
        checking -> submitting;
        clarifying -> checking;
        submitting -> done -> end;

        clarifying: elicitation;
    }
}
