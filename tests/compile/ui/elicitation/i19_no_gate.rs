mod parts;
use parts::*;

graph! {
    /// Nothing leads to the elicitation: that is the same mistake.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
