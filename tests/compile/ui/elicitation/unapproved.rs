mod parts;
use parts::*;

/// Runs tools that somebody must approve.
#[derive(Debug)]
#[allow(non_camel_case_types)]
pub struct pay;

impl graphwright::NodeMeta for pay {
    const NAME: &'static str = "pay";
    const ROLE: graphwright::topology::Role = graphwright::topology::Role::Tools;
    const NEEDS_APPROVAL: bool = true;
}

impl graphwright::Node<Ticket, ()> for pay {
    type Ret = ();
    type Open = ();
    async fn run(_: &Ticket, _: &(), _: &Context<()>) {}
}

graph! {
    /// It runs what somebody must approve, and nobody is asked.
    pub Agent(Ticket, ()) {
        start -> summarise;
        summarise -> match next { Call => pay, Ask | Done => end };
        pay -> summarise;
    }
}

fn main() {}
