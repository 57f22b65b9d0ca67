mod parts;
use parts::*;

graph! {
    /// No model in it: by itself it does nothing wrong.
    pub Payments(Ticket, Deps) {
        start -> note -> pay_back -> end;
    }
}

graph! {
    pub Agent(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => payments, Finish | Repeating => end };
        payments -> react;

        payments: graph Payments;
    }
}

fn main() {}
