//! pydantic-graph: two maps at once, each with its join, and a join of both.

use super::stub::*;

stubs! {
    plain generate, process_even[item], process_odd[item], metrics_even, metrics_odd, metrics_max;
    list evens, odds;
}

graph! {
    pub(crate) PydanticGraphMapDecisionJoins(State, Deps) {
        start -> generate
            -> [each evens { process_even } -> metrics_even, each odds { process_odd } -> metrics_odd]
            -> metrics_max -> end;
    }
}
