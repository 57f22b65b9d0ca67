mod parts;
use parts::*;

graph! {
    /// What a router says proves nothing, in whatever order its arms stand.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Ask => elicitation, Call => call_tools, Done => end };
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
