//! LangChain's researcher of companies: it reads again what it lacks.

use super::stub::*;

stubs! {
    model generate_queries, gather_notes_extract_schema, reflection;
    tools research_company;
    router route_from_reflection(End, ResearchCompany);
}

graph! {
    pub(crate) CompanyResearcher(State, Deps) {
        start -> generate_queries -> research_company -> gather_notes_extract_schema -> reflection;
        reflection -> match route_from_reflection { End => end, ResearchCompany => research_company };
    }
}
