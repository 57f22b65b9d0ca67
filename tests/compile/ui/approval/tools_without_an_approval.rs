#[path = "../elicitation/parts/mod.rs"]
mod parts;
use parts::*;

/// Runs tools that are marked `needs_approval`.
#[node(tools, needs_approval)]
pub async fn pay(_: &Ticket) {}

graph! {
    /// The gate is no approval, and neither is the elicitation.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => pay, Ask | Done => end };
        pay -> react;
        elicitation -> react;
    }
}

fn main() {}
