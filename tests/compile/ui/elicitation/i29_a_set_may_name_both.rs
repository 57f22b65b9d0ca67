mod parts;
use parts::*;

graph! {
    /// A set may name the question and the call together.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call | Ask => some both { Ask => elicitation, Call => call_tools, Done => plan } -> react, Done => end };
    }
}

fn main() {}
