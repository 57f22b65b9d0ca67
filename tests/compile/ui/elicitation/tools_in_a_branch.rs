mod parts;
use parts::*;

graph! {
    /// The model asks before the fork.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => [call_tools, plan] -> react, Ask => elicitation, Done => end };
        elicitation -> react;
    }
}

fn main() {}
