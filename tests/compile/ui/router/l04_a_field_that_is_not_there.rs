//! A router that reads what the state does not have.

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Mail {
    text: String,
    rounds: u32,
}

#[router]
fn is_long(mail: &Mail) -> bool {
    mail.txt.len() > 80
}

graph! {
    Desk(Mail) {
        start -> read;
        read -> end if is_long;
        read -> read;
    }
}

#[node]
fn read(_: &Mail) {}

fn main() {}
