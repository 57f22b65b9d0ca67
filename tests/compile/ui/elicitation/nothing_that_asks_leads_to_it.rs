mod parts;
use parts::*;

graph! {
    /// The model that asks comes after it.
    pub Agent(Ticket, ()) {
        start -> plan;
        plan -> match next { Ask => elicitation, Call | Done => react };
        react -> end;
        elicitation -> summarise -> end;
    }
}

fn main() {}
