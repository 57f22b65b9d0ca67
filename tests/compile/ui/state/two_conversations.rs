#![allow(unused)]

use graphwright::prelude::*;

use graphwright::agent::Conversation;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(conversation)]
    talk: Conversation,
    #[state(conversation)]
    again: Conversation,
}

fn main() {}
