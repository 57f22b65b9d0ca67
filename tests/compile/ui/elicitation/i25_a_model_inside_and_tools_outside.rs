mod parts;
use parts::*;

graph! {
    /// Asks, and is left in a hurry.
    pub Asking(Ticket, ()) {
        start -> react;
        react -> end if urgent;
        react -> elicitation if ask_user_pending;
        react -> end;
        elicitation -> react;
    }
}

graph! {
    /// Its part asks, and may be left before it was answered.
    pub Agent(Ticket, ()) {
        start -> asking;
        asking -> call_tools -> end;
        asking: graph Asking;
    }
}

fn main() {}
