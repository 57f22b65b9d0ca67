mod parts;
use parts::*;

graph! {
    pub Agent(Invoice, Deps) {
        start -> each calls_of { tool_call } -> end;
        tool_call: graph agent::ToolCall;
    }
}

fn main() {}
