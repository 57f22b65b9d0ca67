//! LangGraph's maker of taxonomies: a loop over what the state holds.

use super::stub::*;

stubs! {
    model summarize, generate_taxonomy, update_taxonomy, review_taxonomy;
    plain get_minibatches;
    router should_review(UpdateTaxonomy, ReviewTaxonomy);
}

graph! {
    pub(crate) TntLlm(State, Deps) {
        start -> summarize -> get_minibatches -> generate_taxonomy -> update_taxonomy;
        update_taxonomy -> match should_review { UpdateTaxonomy => update_taxonomy, ReviewTaxonomy => review_taxonomy };
        review_taxonomy -> end;
    }
}
