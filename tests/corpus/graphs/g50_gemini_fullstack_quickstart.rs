//! Google's research agent: a map, and a router that goes on or maps again.

use super::stub::*;

stubs! {
    model generate_query, reflection, finalize_answer;
    tools web_research[item];
    list continue_to_web_research, follow_up_queries;
    router evaluate_research(WebResearch, FinalizeAnswer);
}

graph! {
    pub(crate) GeminiFullstackQuickstart(State, Deps) {
        start -> generate_query -> each continue_to_web_research { web_research } -> reflection;
        reflection -> match evaluate_research {
            WebResearch => each follow_up_queries { web_research } -> reflection at_most 3 else finalize_answer,
            FinalizeAnswer => finalize_answer,
        };
        finalize_answer -> end;
    }
}
