mod parts;
use parts::*;

graph! {
    /// The urgent way is tried before anybody looks for a question.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> call_tools if urgent;
        react -> elicitation if ask_user_pending;
        react -> end;
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
