mod parts;
use parts::*;

graph! {
    /// The mistake is where the path enters the tools.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => plan, Ask | Done => end };
        plan -> match next { Call => call_tools, Ask => elicitation, Done => react };
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
