//! Every way to tools that need an approval, past who gives it.
#![deny(warnings)]

#[allow(dead_code, unused_imports)]
#[path = "../ui/approval/parts/mod.rs"]
mod parts;
use parts::*;

graph! {
    /// Each call by itself.
    pub Each(Ticket, Deps) {
        start -> react;
        react -> match tool_calls {
            Continue => each agent::open_calls { tool_call } -> react,
            Finish | Repeating => end,
        };
        tool_call: graph agent::ToolCall;
    }
}

graph! {
    /// All of them at once, by an interrupt of one's own.
    pub AtOnce(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => Clerk, Finish | Repeating => end };
        Clerk -> match { Accepted => run_tools, Declined | Cancelled => note };
        run_tools -> pay -> react;
        note -> end;
        pay: pay_back;
    }
}

graph! {
    /// With an approval graph of one's own.
    pub OwnCall(CallState, Deps) {
        start -> agent::approve;
        approve -> match {
            Approve | Edit => agent::run_call,
            Reject | Respond | Declined | Cancelled => end,
        };
        approve -> end on expiry;
        run_call -> match { Done => end, NeedsAnswer => approve };
        approve: expires(48h);
    }
}

fn open(ticket: &Ticket, call: &Call) -> Update<CallState> {
    CallState::of(&ticket.talk, call)
}

fn close(done: &CallState) -> Update<Ticket> {
    Ticket::update().talk(done.result())
}

graph! {
    pub Own(Ticket, Deps) {
        start -> react;
        react -> match tool_calls {
            Continue => each agent::open_calls { tool_call } -> react,
            Finish | Repeating => end,
        };
        tool_call: graph OwnCall, enter(open), exit(close), writes(talk);
    }
}

graph! {
    /// No model: whoever wrote the graph approves.
    pub NoModel(Ticket, Deps) {
        start -> note -> pay_back -> end;
    }
}

graph! {
    /// Tools that need none.
    pub Looks(Ticket, Deps) {
        start -> react;
        react -> match tool_calls { Continue => look, Finish | Repeating => end };
        look -> react;
    }
}

type Q = graphwright::Question<Each>;

fn answer(question: Q) -> graphwright::Given {
    match question {
        Q::tool_call(q) => q.accept(Approval::Approve),
    }
}

fn main() {
    let _: fn(Q) -> graphwright::Given = answer;
}
