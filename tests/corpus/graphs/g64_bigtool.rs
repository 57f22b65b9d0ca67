//! LangGraph's bigtool: calls of two kinds, one by one and all at once.

use super::stub::*;

stubs! {
    model agent;
    tools select_tools[item], tools[item];
    list calls;
    sort kind(SelectTools, Tools);
    router should_continue(Calls, End);
}

graph! {
    pub(crate) Bigtool(State, Deps) {
        start -> agent;
        agent -> match should_continue {
            Calls => each calls match kind { SelectTools => select_tools, Tools => tools } -> agent,
            End => end,
        };
    }
}
