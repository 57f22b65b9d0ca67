//! pydantic-graph: nodes called Ask and Answer.

use super::stub::*;

stubs! {
    model Ask, Evaluate(Reprimand, End);
    human Answer;
    plain Reprimand;
}

graph! {
    pub(crate) PydanticGraphQuestion(State, Deps) {
        start -> Ask -> Answer -> Evaluate;
        Evaluate -> match { Reprimand => Reprimand, End => end };
        Reprimand -> Ask;
    }
}
