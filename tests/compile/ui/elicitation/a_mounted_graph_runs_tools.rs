mod parts;
use parts::*;

graph! {
    /// Runs tools.
    pub Calling(Ticket, ()) {
        start -> call_tools -> end;
    }
}

graph! {
    /// Its part runs tools at once.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => calling, Ask => elicitation, Done => end };
        calling -> react;
        elicitation -> react;
        calling: graph Calling;
    }
}

fn main() {}
