//! LangGraph's Self-RAG: in the source a router calls models.

use super::stub::*;

stubs! {
    tools retrieve;
    model grade_documents, generate, transform_query;
    model grade_generation_v_documents_and_question(NotSupported, Useful, NotUseful);
    router decide_to_generate(TransformQuery, Generate);
}

graph! {
    pub(crate) SelfRag(State, Deps) {
        start -> retrieve -> grade_documents;
        grade_documents -> match decide_to_generate { TransformQuery => transform_query, Generate => generate };
        transform_query -> retrieve;
        generate -> grade_generation_v_documents_and_question;
        grade_generation_v_documents_and_question -> match {
            NotSupported => generate at_most 3 else end,
            NotUseful => transform_query at_most 3 else end,
            Useful => end,
        };
    }
}
