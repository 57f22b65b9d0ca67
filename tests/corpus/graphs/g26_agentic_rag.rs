//! LangGraph's agentic RAG: in the source the router behind the tool calls a model.

use super::stub::*;

stubs! {
    model generate_query_or_respond, rewrite_question, generate_answer;
    tools retrieve;
    model grade_documents(GenerateAnswer, RewriteQuestion);
    router tools_condition(Tools, End);
}

graph! {
    pub(crate) AgenticRag(State, Deps) {
        start -> generate_query_or_respond;
        generate_query_or_respond -> match tools_condition { Tools => retrieve, End => end };
        retrieve -> grade_documents;
        grade_documents -> match { GenerateAnswer => generate_answer, RewriteQuestion => rewrite_question };
        rewrite_question -> generate_query_or_respond;
        generate_answer -> end;
    }
}
