//! LangChain's assistant for mail, from scratch: in the source one node asks, runs tools and routes.

use super::stub::*;

mod response_agent {
    use super::super::stub::*;

    stubs! {
        asking llm_call;
        tools interrupt_handler, run_call[item];
        human ask_call(Accept, Edit, Ignore, Respond);
        plain note_refusal[item], settle;
        list gated_calls;
        router should_continue(InterruptHandler, End);
        router after_calls(LlmCall, End);
    }

    graph! {
        pub(crate) ResponseAgent(State, Deps) {
            start -> llm_call;
            llm_call -> elicitation if ask_user_pending;
            llm_call -> match should_continue {
                InterruptHandler => interrupt_handler -> each gated_calls { ask_call } -> settle,
                End => end,
            };
            ask_call -> match { Accept | Edit => run_call, Ignore | Respond | Declined | Cancelled => note_refusal };
            run_call | note_refusal -> settle;
            settle -> match after_calls { LlmCall => llm_call, End => end };
            elicitation -> llm_call;
        }
    }
}

use response_agent::ResponseAgent;

stubs! {
    model triage_router(Notify, Respond, Ignore);
    human triage_interrupt_handler(Respond, Ignore);
}

graph! {
    pub(crate) EmailAssistantHitlMemory(State, Deps) {
        start -> triage_router;
        triage_router -> match { Notify => triage_interrupt_handler, Respond => response_agent, Ignore => end };
        triage_interrupt_handler -> match { Respond => response_agent, Ignore | Declined | Cancelled => end };
        response_agent -> end;

        response_agent: graph ResponseAgent;
    }
}
