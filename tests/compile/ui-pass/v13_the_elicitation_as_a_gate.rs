//! The elicitation stands before the tools, and leads back by an arm.
#![deny(warnings)]

use graphwright::agent::{Conversation, elicitation};
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Route)]
pub enum Next {
    Call,
    Done,
}

#[node(model, asks)]
pub async fn react(_: &Ticket) {}

#[node(tools)]
pub async fn call_tools(_: &Ticket) {}

#[router]
pub fn next(_: &Ticket) -> Next {
    Next::Done
}

#[router]
pub fn approved(_: &Ticket) -> bool {
    true
}

graph! {
    pub Agent(Ticket) {
        start -> react;
        react -> match next { Call => elicitation, Done => end };
        elicitation -> match approved { true => call_tools, false => react };
        call_tools -> react;
    }
}

fn main() {}
