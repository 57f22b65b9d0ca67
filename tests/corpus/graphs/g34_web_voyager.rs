//! LangGraph's web voyager: the model's text is the name of the next node.

use super::stub::*;

stubs! {
    model agent;
    plain update_scratchpad;
    tools Click, Type, Scroll, Wait, GoBack, Google;
    router select_tool(Click, Type, Scroll, Wait, GoBack, Google, Agent, End);
}

graph! {
    pub(crate) WebVoyager(State, Deps) {
        start -> agent;
        agent -> match select_tool {
            Click => Click,
            Type => Type,
            Scroll => Scroll,
            Wait => Wait,
            GoBack => GoBack,
            Google => Google,
            Agent => agent at_most 3 else end,
            End => end,
        };
        Click | Type | Scroll | Wait | GoBack | Google -> update_scratchpad -> agent;
    }
}
