//! Google's ADK: an approval that comes later, as the second result of a call.

use super::stub::*;

stubs! {
    model reimbursement_agent;
    tools reimburse, ask_for_approval;
    set calls(Reimburse, AskForApproval);
    router calls_or_text(Calls, End);
}

graph! {
    pub(crate) AdkHumanInLoop(State, Deps) {
        start -> reimbursement_agent;
        reimbursement_agent -> match calls_or_text {
            Calls => some calls { Reimburse => reimburse, AskForApproval => ask_for_approval } -> reimbursement_agent,
            End => end,
        };
    }
}
