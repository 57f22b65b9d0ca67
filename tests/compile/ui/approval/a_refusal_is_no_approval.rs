mod parts;
use parts::*;

graph! {
    /// Whoever closes the window has not said yes.
    pub Desk(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => Clerk, Finish | Repeating => end };
        Clerk -> match { Accepted => react, Declined | Cancelled => run_tools };
        run_tools -> react;
    }
}

fn main() {}
