//! graph-flow: an answer that is written again until it holds.

use super::stub::*;

stubs! {
    model QueryRefinementTask, AnswerGenerationTask, ValidationTask;
    tools VectorSearchTask;
    plain DeliveryTask;
    guard validation_passed;
}

graph! {
    pub(crate) GraphFlowRecommendation(State, Deps) {
        start -> QueryRefinementTask -> VectorSearchTask -> AnswerGenerationTask -> ValidationTask;
        ValidationTask -> match validation_passed {
            true => DeliveryTask,
            false => AnswerGenerationTask at_most 3 else end,
        };
        DeliveryTask -> end;
    }
}
