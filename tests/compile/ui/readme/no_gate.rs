use graphwright::agent::{Conversation, HasTools, Toolset, elicitation, tool_calls, tools};
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

pub struct Deps {
    tools: Toolset<Deps>,
}

impl HasTools for Deps {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

#[node(model, asks)]
async fn react(_: &Ticket) -> NodeResult<Ticket> {
    Ok(Ticket::update())
}

#[router]
fn unsure(ticket: &Ticket) -> bool {
    ticket.talk.is_empty()
}

graph! {
    pub Agent(Ticket, Deps) {
        start -> react;
        react -> elicitation if unsure;
        react -> match tool_calls { Continue => tools, Repeating => end cut, Finish => end };
        elicitation -> react;
        tools -> react;
    }
}

fn main() {}
