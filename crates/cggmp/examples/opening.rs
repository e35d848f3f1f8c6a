//! Times sealed sessions that are opened for each step, beside those that stay in memory, in each round of each protocol.
//! Run it with `--release`: `opening` has moduli of 3072 bits, `opening 2048` smaller ones, and `opening wide` times the
//! protocols without moduli among 100 parties. The example `dkg_opening` of FROST's crate times its key generation.
//!
//! A step receives the round's frames, advances, and seals. An audit repeats everything that the session did.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a measurement that fails stops")]

use std::sync::Arc;

use quorate_cggmp::{
    AuxInfoGen, AuxInfoParams, KeyShare, Keygen, KeygenParams, Presign, PresignMany,
    PresignManyParams, RawDigest, Repair, RepairParams, RepairPlan, Reshare, ReshareParams,
    ResharePlan, Secp256k1, Sign, SignParams,
};
use quorate_paillier::Level;
use quorate_session::PartyId;
use quorate_session::sim::Network;
use quorate_testkit::ecdsa::{Group, NUMBERS, keys, run_aux, secrets};
use quorate_testkit::lockstep::{id, parties};
use quorate_testkit::opened::timed;

type C = Secp256k1;

fn place(numbers: &[u16], party: PartyId) -> usize {
    numbers.iter().position(|number| id(*number) == party).unwrap()
}

/// The protocols without moduli.
fn light(numbers: &[u16], threshold: u16, often: (u8, bool)) {
    let (all, me) = (parties(numbers), id(numbers[0]));
    timed::<Keygen<C>>("key generation", (&all, me), often, |_| KeygenParams::new(threshold));
    let keys: Vec<Arc<KeyShare<C>>> = keys(numbers, threshold);
    let share = |party| keys[place(numbers, party)].secret_share();
    let shared = keys[0].public().shared();
    let plan = ResharePlan::refresh(shared, all.clone()).unwrap();
    timed::<Reshare<C>>("refresh", (&all, me), often, |me| {
        ReshareParams::dealer(&plan, share(me)).unwrap()
    });
    let (target, helpers) = numbers.split_last().unwrap();
    let helpers = parties(&helpers[..usize::from(threshold)]);
    let plan = RepairPlan::new(shared, helpers, id(*target)).unwrap();
    let all = plan.parties();
    for (name, me) in [("repair, a helper", me), ("repair, the target", plan.target())] {
        timed::<Repair<C>>(name, (&all, me), often, |me| match me == plan.target() {
            true => RepairParams::target(&plan),
            false => RepairParams::helper(&plan, share(me)).unwrap(),
        });
    }
}

/// The protocols with moduli.
fn heavy(level: Level, often: (u8, bool)) {
    let (all, me) = (parties(NUMBERS), id(NUMBERS[0]));
    let aux = run_aux(Network::new(1), level, &NUMBERS);
    let group = Group::<C> { keys: keys(&NUMBERS, 3), aux };
    timed::<Presign<C>>("presigning", (&all, me), often, |me| group.params(me));
    timed::<PresignMany<C>>("presigning, 8", (&all, me), often, |me| {
        PresignManyParams::new(group.params(me), 8)
    });
    let digest = RawDigest::of_message::<C>(b"message");
    timed::<Sign<C>>("signing", (&all, me), often, |me| SignParams::new(group.params(me), digest));
    let secrets: Vec<_> = (0..NUMBERS.len()).map(|place| secrets(level, place)).collect();
    timed::<AuxInfoGen>("auxiliary information", (&all, me), (often.0.min(2), often.1), |me| {
        AuxInfoParams::new(Arc::clone(&secrets[place(&NUMBERS, me)]))
    });
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("wide") => {
            let numbers: Vec<u16> = (1..=100).collect();
            light(&numbers, 67, (1, false));
        }
        argument => {
            light(&NUMBERS, 2, (20, true));
            heavy(
                if argument == Some("2048") { Level::Bits112 } else { Level::Bits128 },
                (5, true),
            );
        }
    }
}
