//! Two places that ask what a model wants to know, each for its own.
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
    pub Agents(Ticket) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Done => second };
        elicitation | call_tools -> react;
        second -> asking if ask_user_pending;
        second -> match next { Call => calling, Done => end };
        asking | calling -> second;

        second: react;
        asking: elicitation;
        calling: call_tools;
    }
}

fn main() {}
