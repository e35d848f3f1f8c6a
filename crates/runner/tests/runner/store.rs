//! The store in memory keeps the contract; each that breaks it is found, and told how.

use crate::liars;

use liars::{Liar, Lie};
use quorate_runner::MemoryStore;
use quorate_runner::testing::{Violation, conformance, conformance_at_once};

#[test]
fn the_store_in_memory_keeps_the_contract() {
    conformance(MemoryStore::new, |store| store).unwrap();
}

#[test]
fn a_store_behind_a_lock_keeps_the_contract_with_several_callers() {
    conformance(|| Liar::opener(Lie::None)(), |store| store).unwrap();
    conformance_at_once(|| Liar::opener(Lie::None)).unwrap();
}

/// Each lie, and the rule by which it is found.
const LIES: [(Lie, &str); 30] = [
    (Lie::OutcomesOf64KiB, "an outcome of megabytes comes back whole"),
    (Lie::ReplacedOutcomesOf64KiB, "an outcome of megabytes comes back whole"),
    (Lie::AbandonedOutcomesOf64KiB, "an outcome of megabytes comes back whole"),
    (Lie::SessionsOf4KiB, "a session of megabytes comes back whole"),
    (Lie::JobsOf4KiB, "a job of megabytes comes back whole"),
    (Lie::MessagesOf4KiB, "a message of megabytes comes back whole"),
    (Lie::FramesOf4KiB, "frames of megabytes come back whole"),
    (Lie::DeadlinesOf32Bits, "a deadline beyond 2^53 is exact"),
    (Lie::DeadlinesAsFloats, "a deadline beyond 2^53 is exact"),
    (Lie::MessageTimesAsFloats, "the times of a message beyond 2^53 are exact"),
    (Lie::ParkingTimesAsFloats, "the time of what is parked beyond 2^53 is exact"),
    (Lie::ClaimIdsOf31Bytes, "claims are told apart by the last byte of their ids"),
    (Lie::DigestsOf31Bytes, "the digest of a claim is kept"),
    (Lie::SessionIdsOf31Bytes, "jobs are told apart by the last byte of their session ids"),
    (Lie::ContextsOf31Bytes, "runs are told apart by the last byte of their contexts"),
    (Lie::PacketNamesOf31Bytes, "messages are told apart by the last byte of their names"),
    (Lie::FrameNamesOf31Bytes, "frames are told apart by the last byte of their names"),
    (Lie::PartiesOfOneByte, "parties are told apart by both bytes of their numbers"),
    (Lie::CachedRuns, "a run is read as it was stored last"),
    (Lie::CachedForEachHandle, "a handle reads what another one has stored"),
    (Lie::CachedJobs, "a job is read as it was stored last"),
    (Lie::NewestCanary, "the first canary stays"),
    (Lie::OneOutboxForAll, "a peer that acknowledges nothing holds up no other"),
    (Lie::MessagesWithoutEnd, "the messages of a run that has ended have an end"),
    (Lie::MessagesWithoutTheirRun, "a message comes with the run that it is of"),
    (Lie::NothingParked, "a run is told that something was parked"),
    (Lie::BatchesEndAtARefusal, "each run of a batch has the answer that it has alone"),
    (Lie::BatchesDoNotSeeThemselves, "each step of a batch has the answer that it has alone"),
    (Lie::BatchesWithoutTheLastStep, "the last step of a run in a batch is there"),
    (Lie::BatchesWithoutTheLastFrame, "the packets of a batch are there, in order"),
];

#[test]
fn each_store_that_breaks_the_contract_is_found_by_name() {
    for (lie, rule) in LIES {
        // A handle is opened again between calls, where that hides the lie least.
        let found = match lie {
            Lie::CachedForEachHandle => conformance_at_once(|| Liar::opener(lie)),
            _ => conformance(|| Liar::opener(lie)(), |store| store),
        };
        assert_eq!(found, Err(Violation::Rule(rule)), "{lie:?}");
    }
}

#[test]
fn each_store_that_breaks_the_contract_for_callers_at_once_is_found_by_name() {
    for (lie, rule) in [
        (Lie::SelectThenInsert, "of callers that claim one name at once, one is the first"),
        (Lie::BeginsWithoutALock, "of callers that begin one job at once, one begins it"),
        (Lie::SwapsWithoutALock, "of callers that swap from one slot at once, one does"),
        (Lie::PutsWithoutALock, "a frame that comes to callers at once is stored once"),
    ] {
        let found = conformance_at_once(|| Liar::opener(lie));
        assert_eq!(found, Err(Violation::Rule(rule)), "{lie:?}");
    }
    // One caller alone finds nothing.
    conformance(|| Liar::opener(Lie::SelectThenInsert)(), |store| store).unwrap();
}
