//! What every store has to do, as cases: for stores of one's own.
//!
//! In a test file:
//!
//! ```
//! graphwright::conformance_tests!(|| async { graphwright::Memory::new() });
//! # fn main() {}
//! ```
//!
//! Each case becomes a test of its own. [`check`] runs them all where tests are not wanted. A case gets a store that is
//! empty; stores made one after the other must not share threads.

mod append;
mod bench;
mod delete;
mod hostile;
mod inbox;
mod listing;
mod points;
mod questions;
mod race;
mod requests;
mod retention;
mod size;
mod tenants;
mod worker;

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::{AppendError, Checkpointer, StoreError};
use bench::Bench;

/// Why a store failed a case.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

/// A test that returns an error prints its `Debug`.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self(format!("an unexpected error: {error} ({error:?})"))
    }
}

impl From<AppendError> for Failure {
    fn from(error: AppendError) -> Self {
        Self(format!("an unexpected refusal: {error} ({error:?})"))
    }
}

type Verdict = Result<(), Failure>;
type Running = Pin<Box<dyn Future<Output = Verdict> + Send>>;

/// One thing that every store has to do.
#[derive(Clone, Copy)]
pub struct Case {
    name: &'static str,
    run: fn(Bench) -> Running,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Case").field(&self.name).finish()
    }
}

impl Case {
    /// Its group and what it expects, such as `append::an_old_version_conflicts`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Tries it on a store that is empty, inside a tokio runtime of several threads.
    ///
    /// # Errors
    /// [`Failure`] says what was expected and what was found.
    pub async fn run(&self, store: impl Checkpointer) -> Result<(), Failure> {
        (self.run)(Bench::new(store)).await
    }
}

/// All cases.
#[must_use]
pub fn cases() -> &'static [Case] {
    CASES
}

/// Tries every case, each on a store from `make`, and gives the number of cases.
///
/// # Errors
/// The cases that failed, by name.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// use graphwright::{Memory, store::conformance};
/// let tried = conformance::check(|| async { Memory::new() }).await.unwrap();
/// assert!(tried > 60);
/// # });
/// ```
pub async fn check<S, F>(make: impl Fn() -> F) -> Result<usize, Vec<(&'static str, Failure)>>
where
    S: Checkpointer,
    F: Future<Output = S>,
{
    let mut failed = Vec::new();
    for case in CASES {
        if let Err(failure) = case.run(make().await).await {
            failed.push((case.name, failure));
        }
    }
    if failed.is_empty() { Ok(CASES.len()) } else { Err(failed) }
}

/// Tries the case of that name on a runtime of its own: what [`conformance_tests!`](crate::conformance_tests) calls.
///
/// # Errors
/// The case failed, there is none of that name, or there can be no runtime.
pub fn run<S, F>(name: &str, make: impl Fn() -> F) -> Result<(), Failure>
where
    S: Checkpointer,
    F: Future<Output = S>,
{
    let case = CASES.iter().find(|case| case.name == name).ok_or_else(|| Failure(format!("there is no case `{name}`")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    let runtime = runtime.map_err(|error| Failure(format!("no runtime: {error}")))?;
    runtime.block_on(async { case.run(make().await).await })
}

/// Makes a test of each case of the suite: `conformance_tests!(|| async { MyStore::empty().await });`, once in a module.
#[macro_export]
macro_rules! conformance_tests {
    ($make:expr) => {
        async fn conformance_store() -> impl $crate::store::Checkpointer {
            ($make)().await
        }
        $crate::__conformance_cases!($crate::__conformance_tests);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ($($group:ident { $($case:ident)* })*) => { $(
        mod $group { $(
            #[test]
            fn $case() -> ::core::result::Result<(), $crate::store::conformance::Failure> {
                let name = ::core::concat!(::core::stringify!($group), "::", ::core::stringify!($case));
                $crate::store::conformance::run(name, super::conformance_store)
            }
        )* }
    )* };
}

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
            a_point_below_what_is_kept_has_nothing
            pruning_drops_closed_questions_past_their_time
            pruning_a_thread_that_never_was
        }
        delete {
            a_deleted_thread_is_found_by_nobody
            deleting_twice
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
        const CASES: &[Case] = &[$($(Case {
            name: concat!(stringify!($group), "::", stringify!($case)),
            run: |bench| Box::pin($group::$case(bench)),
        }),*),*];
    };
}
__conformance_cases!(table);
