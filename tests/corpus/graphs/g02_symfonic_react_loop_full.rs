//! symfonic-core: the same loop with every option on.

use super::stub::*;

stubs! {
    plain compaction;
    asking react;
    plain precondition_gate;
    tools tools;
    human interrupt;
    guard interrupt_pending;
    router precondition(PreconditionGate, Continue, Finish);
    router _gate_outcome_condition(Errors, Tools);
}

graph! {
    pub(crate) SymfonicReactLoopFull(State, Deps) {
        start -> compaction -> react;
        react -> interrupt if interrupt_pending;
        react -> elicitation if ask_user_pending;
        react -> match precondition { PreconditionGate => precondition_gate, Continue => never, Finish => end };
        precondition_gate -> match _gate_outcome_condition { Errors => react, Tools => tools };
        interrupt | elicitation | tools -> react;
    }
}
