mod parts;
use parts::*;

graph! {
    /// At once is not before.
    pub Agent(Ticket, ()) {
        start -> react -> [elicitation, call_tools] -> summarise -> end;
    }
}

fn main() {}
