//! Microsoft's agent framework: many questions at once; in the source the graph around answers what it can.

use super::stub::*;

mod distribution {
    use super::super::stub::*;

    stubs! {
        plain orchestrator, resource_allocator[item], policy_engine[item], result_collector;
        human resource_requester, policy_checker;
        list requests;
        sort kind(Resource, Policy);
        guard served;
    }

    graph! {
        pub(crate) Distribution(State, Deps) {
            start -> orchestrator
                -> each requests match kind { Resource => resource_allocator, Policy => policy_engine }
                -> result_collector -> end;
            resource_allocator -> result_collector if served;
            resource_allocator -> resource_requester -> result_collector;
            policy_engine -> result_collector if served;
            policy_engine -> policy_checker -> result_collector;
        }
    }
}

use distribution::Distribution;

graph! {
    pub(crate) MsafSubworkflowParallelRequests(State, Deps) {
        start -> sub_workflow_executor -> end;

        sub_workflow_executor: graph Distribution;
    }
}
