//! LangChain's Open SWE: names with hyphens, and help that is asked for beside the tools.

use super::stub::*;

mod reviewer {
    use super::super::stub::{Inner as State, *};

    stubs! {
        plain initialize_state;
        model generate_review_actions, diagnose_reviewer_error, final_review;
        tools take_review_actions(Ok, Broken, Done);
        router takeReviewActionsOrFinalReview(TakeReviewActions, FinalReview);
    }

    graph! {
        pub(crate) Reviewer(State, Deps) {
            start -> initialize_state -> generate_review_actions;
            generate_review_actions -> match takeReviewActionsOrFinalReview {
                TakeReviewActions => take_review_actions,
                FinalReview => final_review,
            };
            take_review_actions -> match { Ok => generate_review_actions, Broken => diagnose_reviewer_error, Done => final_review };
            diagnose_reviewer_error -> generate_review_actions;
            final_review -> end;

            initialize_state: as "initialize-state";
            generate_review_actions: as "generate-review-actions";
            take_review_actions: as "take-review-actions";
            diagnose_reviewer_error: as "diagnose-reviewer-error";
            final_review: as "final-review";
        }
    }
}

use reviewer::Reviewer;

stubs! {
    plain initialize, handle_completed_task(Long, Next, AllDone), route_to_review_or_conclusion(Review, Conclude);
    model generate_action, update_plan, generate_conclusion(OpenPr, Finish), diagnose_error, summarize_history;
    tools take_action(Ok, Broken), open_pr;
    human request_help(Answer, Ignore);
    router routeGeneratedAction(
        TakeAction, RequestHelp, RouteToReviewOrConclusion, UpdatePlan, GenerateAction, HandleCompletedTask
    );
    router routeGenerateActionsOrEnd(GenerateConclusion, GenerateAction);
}

graph! {
    pub(crate) OpenSweProgrammer(State, Deps) {
        start -> initialize -> generate_action;
        generate_action -> match routeGeneratedAction {
            TakeAction => take_action,
            RequestHelp => request_help,
            RouteToReviewOrConclusion => route_to_review_or_conclusion,
            UpdatePlan => update_plan,
            GenerateAction => generate_action,
            HandleCompletedTask => handle_completed_task,
        };
        take_action -> match { Ok => generate_action, Broken => diagnose_error };
        update_plan | diagnose_error | summarize_history -> generate_action;
        handle_completed_task -> match {
            Long => summarize_history,
            Next => generate_action,
            AllDone => route_to_review_or_conclusion,
        };
        route_to_review_or_conclusion -> match { Review => reviewer_subgraph, Conclude => generate_conclusion };
        reviewer_subgraph -> match routeGenerateActionsOrEnd {
            GenerateConclusion => generate_conclusion,
            GenerateAction => generate_action,
        };
        generate_conclusion -> match { OpenPr => open_pr, Finish => end };
        request_help -> match { Answer => generate_action, Ignore | Declined | Cancelled => end };
        open_pr -> end;

        generate_action: as "generate-action";
        take_action: as "take-action";
        update_plan: as "update-plan";
        handle_completed_task: as "handle-completed-task";
        generate_conclusion: as "generate-conclusion";
        request_help: as "request-help";
        route_to_review_or_conclusion: as "route-to-review-or-conclusion";
        reviewer_subgraph: graph Reviewer as "reviewer-subgraph", enter(open), exit(close), writes(notes);
        open_pr: as "open-pr";
        diagnose_error: as "diagnose-error";
        summarize_history: as "summarize-history";
    }
}
