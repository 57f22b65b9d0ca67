#[path = "../parts/mod.rs"]
mod parts;
use parts::*;

graph! {
    /// Tools before any model (V14), behind a gate (V13), behind another model, and behind the answer (I37).
    pub Agent(Ticket, ()) {
        start -> look_up -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Ask => summarise, Done => end };
        summarise -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
        elicitation -> match { Accepted => call_tools, Declined | Cancelled => react };
    }
}
