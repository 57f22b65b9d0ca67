mod parts;
use parts::*;

graph! {
    /// One model asks, and another one learns.
    #[graph(deny(answer_elsewhere))]
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> summarise -> end;
    }
}

fn main() {}
