//! A node that runs tools and is not declared to: nobody can see that, as the page of GW047 says.
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

fn run_a_tool() {}

#[node]
pub async fn looks_plain(_: &Ticket) {
    run_a_tool();
}

graph! {
    pub Agent(Ticket) {
        start -> react;
        react -> match next { Call => looks_plain, Done => more };
        more -> elicitation if ask_user_pending;
        more -> match next { Call => call_tools, Done => end };
        looks_plain | elicitation | call_tools -> react;
        more: react;
    }
}

fn main() {}
