mod parts;
use parts::*;

graph! {
    pub Agent(Ticket, Bare) {
        start -> react;
        react -> match tool_calls {
            Continue => each agent::open_calls { tool_call } -> react,
            Finish | Repeating => end,
        };
        tool_call: graph agent::ToolCall;
    }
}

fn main() {}
