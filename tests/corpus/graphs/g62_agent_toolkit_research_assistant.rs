//! The agent service toolkit's researcher: what comes in is looked at first.

use super::stub::*;

stubs! {
    model guard_input, model;
    tools tools;
    plain block_unsafe_content;
    router check_safety(Unsafe, Safe);
    router pending_tool_calls(Tools, Done);
}

graph! {
    pub(crate) AgentToolkitResearchAssistant(State, Deps) {
        start -> guard_input;
        guard_input -> match check_safety { Unsafe => block_unsafe_content, Safe => model };
        block_unsafe_content -> end;
        model -> match pending_tool_calls { Tools => tools, Done => end };
        tools -> model;
    }
}
