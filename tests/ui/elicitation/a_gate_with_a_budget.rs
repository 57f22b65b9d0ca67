mod parts;
use parts::*;

graph! {
    /// A budget behind the elicitation is fine; the guard before it is a gate.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => plan, Ask | Done => end };
        plan -> elicitation if ask_user_pending;
        plan -> call_tools;
        call_tools -> react;
        elicitation -> match { Accepted => plan at_most 3 else call_tools, Declined | Cancelled => react };
    }
}

fn main() {}
