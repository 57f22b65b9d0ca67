//! The cases by name.

use super::{Case, append, delete, hostile, inbox, listing, points, questions, race, requests, retention, size, tenants, worker};

/// The list of all cases, once: handed to the macro that is named.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_cases {
    ($($then:tt)*) => { $($then)*! {
        append {
            a_new_thread_begins_at_its_rows
            what_was_appended_is_loaded
            rows_are_numbered_without_gaps
            twice_with_one_commit_id_is_once
            a_create_sent_twice_is_once
            an_append_resent_late_gets_its_answer
            a_batch_resent_gets_its_last_row
            an_intention_may_go_on_after_a_conflict
            commit_ids_of_another_thread_answer_nothing
            an_old_version_conflicts
            a_version_to_come_conflicts
            a_conflict_leaves_no_trace
            a_second_create_is_refused_and_leaves_no_trace
            a_thread_that_never_was_is_gone
            numbers_beyond_counting_find_nothing
            the_head_is_what_the_last_append_said
            the_time_of_the_head_never_falls
            the_times_of_rows_are_kept
            each_row_keeps_its_graph
            every_kind_of_row_is_kept
            no_rows_are_refused
            the_most_rows_are_taken
            more_rows_are_refused
            a_run_without_running_is_refused
            a_refused_append_can_be_mended
            extreme_values_are_kept
            a_step_beyond_counting_is_refused
        }
        questions {
            what_was_opened_is_kept
            an_answer_closes
            every_fate_is_kept
            a_reissue_stays_open_at_the_next_generation
            a_reissue_may_lift_the_deadline
            a_second_answer_is_refused_and_leaves_no_trace
            an_older_generation_is_refused
            a_question_that_never_was_is_refused
            opening_twice_is_refused_and_leaves_no_trace
            changes_of_one_append_follow_each_other
            shutting_and_opening_in_one_append
            open_ones_are_loaded_in_order
            many_at_once
            generations_end
        }
        inbox {
            by_place_graph_label_and_age
            filters_go_together
            only_open_ones
            oldest_first
            due_is_after_the_deadline
            due_needs_a_way_on_expiry
            due_is_in_order_of_deadlines_for_all_scopes
            a_reissue_moves_what_is_due
            messages_wait_until_delivered
            messages_of_shut_questions_are_dropped
            a_reissue_is_another_message
            an_older_message_delivered_leaves_the_newer
        }
        listing {
            threads_by_status
            running_threads_of_all_scopes_with_their_workers
            threads_at_rest_of_all_scopes
            pages_hold_everything_once
            limits_are_clamped
            cursors_of_others_are_refused
            history_is_in_order
        }
        requests {
            a_request_is_taken_once
            a_refused_request_leaves_no_trace
            a_resent_append_is_no_second_request
            threads_have_their_own_requests
            a_request_finds_its_row
        }
        tenants {
            load_in_another_scope_finds_nothing
            append_in_another_scope_is_gone
            question_in_another_scope_finds_nothing
            lists_in_another_scope_are_empty
            delete_in_another_scope_does_nothing
            prune_in_another_scope_does_nothing
            one_name_in_two_scopes_is_two_threads
            scopes_are_compared_by_segment
        }
        hostile {
            names_are_compared_byte_by_byte
            bodies_come_back_byte_for_byte
            texts_come_back_as_they_were
            filters_are_no_patterns
            a_nul_in_a_text_is_refused
            cursors_are_checked
        }
        size {
            a_body_of_one_mebibyte
            a_body_at_the_limit
            a_body_above_the_limit_leaves_no_trace
            a_snapshot_above_the_limit
            a_question_above_the_limit
            an_append_above_four_limits
            texts_at_and_above_their_limits
            labels_at_and_above_their_limit
        }
        points {
            a_snapshot_is_loaded_with_the_rows_after_it
            the_newest_snapshot_below_a_point
            every_point_is_a_prefix
            a_point_above_the_head_is_the_head
            after_a_row_come_only_the_rows_behind_it
            point_zero_is_before_the_first_row
            debt_grows_and_is_paid
            by_name_and_by_uid_are_one
        }
        retention {
            pruning_keeps_the_snapshot_and_what_is_above
            pruning_without_a_snapshot_drops_nothing
            pruning_twice_drops_nothing_more
            pruning_keeps_young_rows
            pruning_keeps_the_evidence_for_lost_replies
            pruning_disturbs_nobody
            pruning_anywhere_keeps_the_state
            long_threads_are_those_that_pruning_shortens
            a_point_below_what_is_kept_has_nothing
            pruning_drops_closed_questions_past_their_time
            pruning_a_thread_that_never_was
        }
        delete {
            a_deleted_thread_is_found_by_nobody
            deleting_twice
            deleting_at_a_version
            a_late_writer_finds_nothing
            a_new_life_names_the_tombstone
            a_create_over_another_tombstone_is_refused
            a_create_over_no_tombstone_is_refused
            a_late_create_finds_another_tombstone
            a_new_life_has_nothing_of_the_old
            a_uid_never_comes_back
        }
        race {
            every_version_has_one_winner
            one_create_wins
            the_same_append_at_once_is_once
            a_request_at_once_is_taken_once
            many_threads_at_once
            reads_are_never_torn
            a_dropped_append_is_whole_or_nothing
            deleting_against_writing
        }
        worker {
            its_own_worker_lives
            a_stranger_does_not_live
            its_time_is_near
        }
    } };
}

macro_rules! table {
    ($($group:ident { $($case:ident)* })*) => {
        pub(super) const CASES: &[Case] = &[$($(Case {
            name: concat!(stringify!($group), "::", stringify!($case)),
            run: |bench| Box::pin($group::$case(bench)),
        }),*),*];
    };
}
__conformance_cases!(table);
