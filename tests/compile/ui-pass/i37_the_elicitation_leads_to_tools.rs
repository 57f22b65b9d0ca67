//! What is left by its normal way was answered, whatever comes next.
#![deny(warnings)]

use graphwright::agent::{Conversation, ask_user_pending, elicitation};
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

graph! {
    pub Agent(Ticket) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Done => end };
        elicitation -> call_tools -> react;
    }
}

fn main() {}
