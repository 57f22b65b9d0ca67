#![deny(warnings)]
#![allow(dead_code)]

use renamed::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
#[state(crate = renamed)]
pub struct Mail {
    text: String,
}

/// Reads what has come.
#[node(crate = renamed)]
pub fn read(_: &Mail) {}

#[node(crate = renamed)]
pub fn answer(_: &Mail) {}

#[router(crate = renamed)]
pub fn is_done(mail: &Mail) -> bool {
    mail.text.is_empty()
}
