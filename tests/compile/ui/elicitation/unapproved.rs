mod parts;
use parts::*;

/// Runs tools that somebody must approve.
#[node(tools, needs_approval)]
pub async fn pay(_: &Ticket) {}

graph! {
    /// It runs what somebody must approve, and nobody is asked.
    pub Agent(Ticket, ()) {
        start -> summarise;
        summarise -> match next { Call => pay, Ask | Done => end };
        pay -> summarise;
    }
}

fn main() {}
