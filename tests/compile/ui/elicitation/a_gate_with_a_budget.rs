mod parts;
use parts::*;

graph! {
    /// The fourth time, the run goes on with the question open.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation at_most 3 else call_tools if ask_user_pending;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
