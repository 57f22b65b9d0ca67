mod parts;
use parts::*;

graph! {
    /// It looks like a gate.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if urgent;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
