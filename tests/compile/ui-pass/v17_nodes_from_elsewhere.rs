//! Nodes of other modules and of another crate, two of them with one last name.
#![deny(warnings)]

use graphwright::agent::{Conversation, HasConversation};
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

mod mail {
    #[graphwright::node]
    pub fn read(_: &crate::Ticket) {}
}

mod web {
    pub mod page {
        #[graphwright::node]
        pub fn read(_: &crate::Ticket) {}

        #[graphwright::node]
        pub fn fetch(_: &crate::Ticket) {}
    }
}

graph! {
    pub Desk(Ticket) {
        start -> crate::web::page::fetch -> read_page -> read_mail -> graphwright::agent::close_repeating -> end;
        read_page: web::page::read;
        read_mail: self::mail::read;
    }
}

fn main() {
    let _ = Ticket::default().conversation();
}
