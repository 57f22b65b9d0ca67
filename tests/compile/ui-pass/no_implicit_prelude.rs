//! A graph and its parts where nothing is imported, not even what always is.
#![deny(warnings)]

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize, graphwright::State)]
pub struct Mail {
    text: String,
}

#[graphwright::node]
pub fn read(_: &Mail) {}

#[graphwright::router]
pub fn is_short(mail: &Mail) -> bool {
    mail.text.len() < 80
}

mod bare {
    #![no_implicit_prelude]

    ::graphwright::graph! {
        /// Nothing imported.
        pub Desk(super::Mail, ()) {
            start -> super::read;
            super::read -> end if super::is_short;
            super::read -> match super::is_short { true => super::read at_most 2 else never, false => end long };
        }
    }
}

fn main() {
    assert_eq!(<bare::Desk as graphwright::Graph>::TOPOLOGY.exits, ["end", "long"]);
}
