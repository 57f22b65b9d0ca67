mod parts;
use parts::*;

graph! {
    /// Its model may ask.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> match next { Call => call_tools, Ask | Done => end };
        call_tools -> react;
    }
}

fn main() {}
