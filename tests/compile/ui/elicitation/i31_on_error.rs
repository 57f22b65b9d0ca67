mod parts;
use parts::*;

graph! {
    /// Who fails has asked nobody.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> react;
        elicitation -> call_tools on error;
    }
}

fn main() {}
