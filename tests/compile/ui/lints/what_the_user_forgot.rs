//! The macros silence their own code and nothing of the user's: each of these is still told, once, at the user's word.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]

use std::collections::BTreeMap;

use graphwright::graph;
use graphwright::prelude::*;
use inner::outdated;

/// A state.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Mail {
    /// What was written.
    pub text: String,
    pub undocumented_field: u64,
}

/// Where to.
#[derive(Clone, Copy, Debug, Route)]
enum Verdict {
    Good,
    NeverSaid,
}

/// What is in its body is the user's.
#[node]
async fn read(mail: &Mail) -> NodeResult<Mail> {
    let unused_here = mail.text.len();
    let mut never_changed = 1;
    Ok(Mail::update().text(String::from("read")))
}

#[node]
pub fn undocumented_node(_: &Mail) {}

#[router]
fn verdict(mail: &Mail, unused_turn: &Turn) -> Verdict {
    old_helper();
    if mail.text.is_empty() { Verdict::Good } else { Verdict::Good }
}

#[deprecated]
fn old_helper() {}

mod inner {
    use graphwright::prelude::*;

    /// As it was done before.
    #[deprecated = "use `read`"]
    #[node]
    pub(crate) fn outdated(_: &super::Mail) {}

    /// Seen by nobody.
    #[node]
    pub fn too_public(_: &super::Mail) {}
}

graph! {
    pub Desk(Mail) {
        start -> read -> match verdict { Good => outdated, NeverSaid => inner::too_public };
        outdated -> undocumented_node -> end;
        inner::too_public -> end;
    }
}

fn main() {}
