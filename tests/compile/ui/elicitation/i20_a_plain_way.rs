mod parts;
use parts::*;

graph! {
    /// The gate of another model does not excuse it.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> call_tools;
        call_tools -> again;
        again -> elicitation if ask_user_pending;
        again -> match next { Call => call_tools, Ask | Done => end };
        elicitation -> again;
        again: react;
    }
}

fn main() {}
