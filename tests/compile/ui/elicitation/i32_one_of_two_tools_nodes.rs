mod parts;
use parts::*;

graph! {
    /// The other one stands behind the gate.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> look_up if urgent;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Ask | Done => end };
        look_up -> react;
        call_tools -> react;
        elicitation -> react;
    }
}

fn main() {}
