//! LangGraph's adaptive RAG: it begins with a decision of a model.

use super::stub::*;

stubs! {
    tools web_search, retrieve;
    model grade_documents, generate, transform_query;
    model route_question(WebSearch, Vectorstore);
    model grade_generation_v_documents_and_question(NotSupported, Useful, NotUseful);
    router decide_to_generate(TransformQuery, Generate);
}

graph! {
    pub(crate) AdaptiveRag(State, Deps) {
        start -> route_question;
        route_question -> match { WebSearch => web_search, Vectorstore => retrieve };
        web_search -> generate;
        retrieve -> grade_documents;
        grade_documents -> match decide_to_generate { TransformQuery => transform_query, Generate => generate };
        transform_query -> retrieve at_most 3 else end;
        generate -> grade_generation_v_documents_and_question;
        grade_generation_v_documents_and_question -> match {
            NotSupported => generate,
            Useful => end,
            NotUseful => transform_query,
        };
    }
}
