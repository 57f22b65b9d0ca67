#[path = "../elicitation/parts/mod.rs"]
mod parts;
use std::future::{Future, ready};

use graphwright::topology::Role;
use graphwright::{Node, NodeMeta, __private::Never};
use parts::*;

/// Runs tools that are marked `needs_approval`.
#[allow(non_camel_case_types)]
pub struct pay;

impl NodeMeta for pay {
    const NAME: &'static str = "pay";
    const ROLE: Role = Role::Tools;
    const NEEDS_APPROVAL: bool = true;
}

impl<D, I> Node<Ticket, D, I> for pay {
    type Ret = ();
    type Open = Never;
    fn run(_: &Ticket, _: &I, _: &Context<D>) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

graph! {
    /// The gate is no approval, and neither is the elicitation.
    pub Agent(Ticket, ()) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => pay, Ask | Done => end };
        pay -> react;
        elicitation -> react;
    }
}

fn main() {}
