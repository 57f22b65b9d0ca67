mod parts;
use parts::*;

graph! {
    /// No model here is declared to ask.
    pub Agent(Ticket, ()) {
        start -> summarise;
        summarise -> match next { Call => call_tools, Ask => elicitation, Done => end };
        call_tools -> summarise;
        elicitation -> summarise;
    }
}

fn main() {}
