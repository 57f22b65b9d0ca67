#[path = "../elicitation/parts/mod.rs"]
mod parts;
use parts::*;

graph! {
    /// `react` asks, and `summarise` is answered.
    #[graph(deny(answer_elsewhere))]
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> summarise -> end;
        elicitation -> summarise;
    }
}

fn main() {}
