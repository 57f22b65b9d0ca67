//! A node that chooses a way which its route does not have.

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Mail {
    text: String,
}

#[derive(Route)]
enum Verdict {
    Good,
    Bad,
}

#[node]
fn judge(mail: &Mail) -> (Update<Mail>, Verdict) {
    let verdict = if mail.text.is_empty() { Verdict::Empty } else { Verdict::Good };
    (Mail::update(), verdict)
}

graph! {
    Desk(Mail) {
        start -> judge;
        judge -> match { Good => end, Bad => judge };
    }
}

fn main() {}
