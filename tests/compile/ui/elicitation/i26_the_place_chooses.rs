mod parts;
use parts::*;

graph! {
    /// What a node chooses has no order.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => pick, Ask | Done => end };
        pick -> match { Call => call_tools, Ask => elicitation, Done => react };
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
