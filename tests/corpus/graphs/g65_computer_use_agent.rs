//! LangGraph's computer use: tools that are come to directly and by way of another node.

use super::stub::*;

stubs! {
    model call_model;
    plain create_vm_instance;
    tools take_computer_action;
    router take_action_or_end(End, CreateVmInstance, TakeComputerAction);
    router reinvoke_model_or_end(CallModel, End);
}

graph! {
    pub(crate) ComputerUseAgent(State, Deps) {
        start -> call_model;
        call_model -> match take_action_or_end {
            End => end,
            CreateVmInstance => create_vm_instance,
            TakeComputerAction => take_computer_action,
        };
        create_vm_instance -> take_computer_action;
        take_computer_action -> match reinvoke_model_or_end { CallModel => call_model, End => end };
    }
}
