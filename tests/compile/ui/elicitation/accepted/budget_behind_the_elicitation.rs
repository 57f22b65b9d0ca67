#[path = "../parts/mod.rs"]
mod parts;
use parts::*;

graph! {
    /// What is done when a budget is used up is a way like any other; this one leaves an elicitation.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => plan, Ask | Done => end };
        plan -> elicitation if ask_user_pending;
        plan -> call_tools;
        call_tools -> react;
        elicitation -> match { Accepted => plan at_most 3 else call_tools, Declined | Cancelled => react };
    }
}
