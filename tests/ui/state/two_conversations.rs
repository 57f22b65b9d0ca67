use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(conversation)]
    talk: u32,
    #[state(conversation)]
    again: u32,
}

fn main() {}
