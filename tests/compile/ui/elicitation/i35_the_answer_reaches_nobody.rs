mod parts;
use parts::*;

graph! {
    /// The model asked, and never learns.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> end;
    }
}

fn main() {}
