//! Microsoft's agent framework: one function at three places, and one at four.

use super::stub::*;

stubs! {
    plain split_data_executor, map_executor, shuffle_executor, reduce_executor, completion_executor;
}

graph! {
    pub(crate) MsafMapReduce(State, Deps) {
        start -> split_data_executor
            -> [map_executor_0, map_executor_1, map_executor_2] -> shuffle_executor
            -> [reduce_executor_0, reduce_executor_1, reduce_executor_2, reduce_executor_3] -> completion_executor
            -> end;

        map_executor_0: map_executor;
        map_executor_1: map_executor;
        map_executor_2: map_executor;
        reduce_executor_0: reduce_executor;
        reduce_executor_1: reduce_executor;
        reduce_executor_2: reduce_executor;
        reduce_executor_3: reduce_executor;
    }
}
