//! The rules, one by one.

mod batches;
#[cfg(feature = "std")]
mod callers;
mod exact;
mod inbox;
mod outbox;
mod runs;
mod sizes;
mod world;

#[cfg(feature = "std")]
pub(super) use self::callers::at_once;
use self::world::Check;
use crate::store::Store;

pub(super) fn all<S: Store>() -> [Check<S>; 24] {
    [
        runs::jobs_begin_once,
        runs::slots_are_compared,
        runs::an_end_is_the_end,
        runs::claims_are_unique,
        runs::a_canary_stays,
        inbox::arrivals_are_kept_once,
        inbox::parking_is_bounded,
        outbox::letters_wait_for_acknowledgement,
        outbox::letters_end_with_their_run,
        outbox::a_peer_fills_its_own_outbox,
        runs::deadlines_come_in_order,
        runs::open_runs_are_bounded,
        inbox::openings_tell_of_other_parameters,
        runs::runs_are_apart_by_protocol,
        runs::any_run_can_be_abandoned,
        runs::outcomes_are_replaced,
        runs::what_is_read_was_stored_last,
        exact::times_are_exact,
        exact::names_are_compared_whole,
        exact::parties_are_compared_whole,
        sizes::rows_of_megabytes_come_back_whole,
        batches::runs_begin_together,
        batches::steps_are_swapped_together,
        batches::frames_are_put_together,
    ]
}
