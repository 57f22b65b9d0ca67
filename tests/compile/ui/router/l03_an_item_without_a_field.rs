//! An item that lacks what its nodes work with.

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Mail {
    text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Word {
    text: String,
    at: u32,
}

#[router]
fn words(mail: &Mail) -> Vec<Word> {
    mail.text.split(' ').map(|word| Word { text: word.to_owned() }).collect()
}

fn main() {}
