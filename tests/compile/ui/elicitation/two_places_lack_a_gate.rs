mod parts;
use parts::*;

graph! {
    /// Both are said at once.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => call_tools, Ask => elicitation, Done => plan };
        plan -> match next { Call => look_up, Ask | Done => end };
        call_tools -> react;
        look_up -> react;
        elicitation -> react;
    }
}

fn main() {}
