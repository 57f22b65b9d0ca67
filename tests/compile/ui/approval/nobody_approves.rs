mod parts;
use parts::*;

graph! {
    /// The node lists its tools, and one of them needs an approval.
    pub Listed(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => note, Finish | Repeating => end };
        note -> run_tools -> react;
    }
}

graph! {
    /// The node says so itself; who is asked before it approves nothing.
    pub Flagged(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => Chat, Finish | Repeating => end };
        Chat -> pay_back -> react;
    }
}

graph! {
    /// Another way leads around who approves.
    pub Around(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => Clerk, Finish => pay_back, Repeating => end };
        Clerk -> match { Accepted => pay_back, Declined | Cancelled => react };
        pay_back -> react;
    }
}

fn main() {}
