//! VS-16: the decoder of each type reads everything that the type writes, however the value was made.

use chacha20::rand_core::Rng;
use quorate::frost::generic::curve::Secret;
use quorate::frost::generic::dkg::parts::{Announcement, part1, part3};
use quorate::frost::generic::{
    Acknowledge, AcknowledgeParams, Commitments, DealtShare, Dkg, DkgOutput, DkgParams, KeyShare,
    KeySuite, NonceBatch, PublicKeyPackage, RandomizerSeed, Repair, RepairPlan, Repaired, Reshare,
    Scalar, ShareState, Signature, SignatureShare, SigningPackage, VerifyingKey,
};
use quorate::frost::secp256k1_tr::TaprootInternal;
use quorate::session::sim::{Delivery, Network};
use quorate::session::{Continuity, Protocol, Sealed};
use quorate::{Parties, PartyId, Session, SessionId};

use super::cheat::{commitment, evaluate, prove};
use super::dkg::keygen_among;
use super::harness::Hostile;
use super::harness::{Key, id, parties, rng, seal_key};

fn share_and_package<S: KeySuite>(share: &KeyShare<S>, public: &PublicKeyPackage<S>) {
    let bytes = share.to_bytes();
    let again = KeyShare::<S>::from_bytes(&bytes, public).unwrap();
    assert_eq!(*again.to_bytes(), *bytes);
    assert_eq!((again.package_id(), again.id()), (public.package_id(), share.id()));
    let bytes = public.to_bytes();
    let again = PublicKeyPackage::<S>::from_bytes(&bytes).unwrap();
    assert!(again == *public && again.to_bytes() == bytes);
    assert_eq!(again.package_id(), public.package_id());
    let key = public.verifying_key();
    assert_eq!(VerifyingKey::<S>::from_bytes(key.as_bytes().as_ref()).unwrap(), *key);
}

/// A random shape of a key: threshold and parties.
fn shape(rng: &mut impl Rng) -> (u16, Parties) {
    let mut below = |bound: u32| u16::try_from(rng.next_u32() % bound).unwrap();
    let mut numbers = vec![1 + below(9)];
    for _ in 0..=below(4) {
        let last = *numbers.last().unwrap();
        numbers.push(last + 1 + below(9999));
    }
    let n = u32::try_from(numbers.len()).unwrap();
    (2 + below(n - 1), parties(numbers))
}

fn of_random_keys<S: Hostile>() {
    for seed in 0..6 {
        let (threshold, all) = shape(&mut rng(seed));
        let key = Key::<S>::among(threshold, &all, seed);
        for (share, dealt) in key.shares.iter().zip(&key.dealt) {
            share_and_package(share, &key.public);
            let again = DealtShare::<S>::from_bytes(dealt).unwrap();
            assert_eq!(*again.to_bytes(), **dealt);
        }
        let report = keygen_among::<S>(threshold, &all, 1, |one| vec![one]);
        for output in report.results.values().flatten() {
            share_and_package(&output.share, &output.public);
        }
        let sid = SessionId::new([2; 32]);
        let plan = key.refresh();
        let params = |me: PartyId| key.dealer(&plan, me);
        let refreshed = Network::new(1).run::<Reshare<S>>(sid, &all, params).unwrap();
        for output in refreshed.results.values().flatten() {
            share_and_package(output.share.as_ref().unwrap(), &output.public);
        }
        unconfirmed(&key, &all);
        sealed_sessions(&key, threshold, &all, seed);
        repaired(&key, threshold, &all);
        signing(&key, threshold, seed);
    }
}

/// The results of a key generation and a refresh whose last digests never arrive.
fn unconfirmed<S: Hostile>(key: &Key<S>, all: &Parties) {
    let lost = |one: Delivery| if one.round.get() == 3 { vec![] } else { vec![one] };
    let report = keygen_among::<S>(key.public.threshold(), all, 1, lost);
    let plan = key.refresh();
    let params = |me: PartyId| key.dealer(&plan, me);
    let network = Network::new(1).tamper(lost);
    let refreshed = network.run::<Reshare<S>>(SessionId::new([2; 32]), all, params).unwrap();
    assert_eq!((report.unconfirmed.len(), refreshed.unconfirmed.len()), (all.len(), all.len()));
    let made = report.unconfirmed.values().map(|one| (&one.share, &one.public));
    let reshared =
        refreshed.unconfirmed.values().map(|one| (one.share.as_ref().unwrap(), &one.public));
    for (share, public) in made.chain(reshared) {
        assert_eq!(share.state(), ShareState::Unconfirmed);
        share_and_package(share, public);
    }
}

/// The sealed state of one party in every protocol, and the tombstone that takes its place.
fn sealed_sessions<S: Hostile>(key: &Key<S>, threshold: u16, all: &Parties, seed: u64) {
    let me = all.as_slice()[0];
    let share = key.share(me.get());
    let target = *all.as_slice().last().unwrap();
    sealed::<Dkg<S>>(me, all, || DkgParams::new(threshold), seed);
    let plan = key.refresh();
    sealed::<Reshare<S>>(me, all, || key.dealer(&plan, me), seed);
    let (share, public) = (share.to_bytes(), key.public.to_bytes());
    let stored = || AcknowledgeParams::from_stored(&share, &public).unwrap();
    sealed::<Acknowledge<S>>(me, all, stored, seed);
    if usize::from(threshold) < all.len() {
        let plan = repair(key, all, target);
        sealed::<Repair<S>>(me, all, || key.part(&plan, me), seed);
    }
}

fn sealed<P: Protocol>(me: PartyId, all: &Parties, params: impl Fn() -> P::Params, seed: u64) {
    let sid = SessionId::new([4; 32]);
    let step = Session::<P>::start(sid, me, all, params(), &mut rng(seed)).unwrap();
    let sealed = step.session.seal(&seal_key());
    let again = Sealed::from_bytes(sealed.as_bytes()).unwrap();
    assert_eq!((again.as_bytes(), again.slot()), (sealed.as_bytes(), sealed.slot()));
    let opened = Session::<P>::open(&again, params(), &seal_key()).unwrap();
    assert!(opened.outgoing == step.outgoing);
    assert_eq!(opened.session.seal(&seal_key()).as_bytes(), sealed.as_bytes());
    let tombstone = opened.session.tombstone();
    let again = Sealed::from_bytes(tombstone.as_bytes()).unwrap();
    assert!(again.is_tombstone() && again.as_bytes() == tombstone.as_bytes());
}

/// The repair of a share by all others.
fn repair<S: Hostile>(key: &Key<S>, all: &Parties, target: PartyId) -> RepairPlan<S> {
    let helpers: Vec<_> = all.iter().filter(|party| *party != target).map(PartyId::get).collect();
    key.repair(&helpers, target.get())
}

fn repaired<S: Hostile>(key: &Key<S>, threshold: u16, all: &Parties) {
    if usize::from(threshold) == all.len() {
        return;
    }
    let target = all.as_slice()[0];
    let plan = repair(key, all, target);
    let params = |me: PartyId| key.part(&plan, me);
    let sid = SessionId::new([3; 32]);
    let mut report = Network::new(1).run::<Repair<S>>(sid, all, params).unwrap();
    let Some(Ok(Repaired::Share(share))) = report.results.remove(&target) else {
        panic!("repaired")
    };
    share_and_package(&share, &key.public);
}

fn signing<S: Hostile>(key: &Key<S>, threshold: u16, seed: u64) {
    let mut rng = rng(seed);
    let signers = &key.shares[..usize::from(threshold)];
    let mut batches: Vec<_> = signers.iter().map(|share| share.precompute(2, &mut rng)).collect();
    let first: Vec<_> = batches.iter().map(|one| one.commitments().next().unwrap()).collect();
    for (batch, one) in batches.iter().zip(&first) {
        let sealed = batch.seal(&seal_key());
        let again = NonceBatch::<S>::open(&sealed, &seal_key(), Continuity::StayedUp).unwrap();
        assert_eq!(again.seal(&seal_key()), sealed);
        assert_eq!(Commitments::<S>::from_bytes(one.id(), &one.to_bytes()).unwrap(), *one);
    }
    let mut message = vec![0; usize::try_from(rng.next_u32() % 100).unwrap()];
    rng.fill_bytes(&mut message);
    let package = SigningPackage::new(&key.public, first, &message).unwrap();
    assert_eq!(SigningPackage::<S>::from_bytes(&package.to_bytes()).unwrap(), package);
    let seeds = [RandomizerSeed::new::<S>(&mut rng)];
    let again = RandomizerSeed::from_bytes(seeds[0].as_bytes());
    assert_eq!(package.digest(Some(&again)), package.digest(Some(&seeds[0])));
    let mut sign = |(share, batch): (&KeyShare<S>, &mut NonceBatch<S>)| {
        let nonces = super::harness::release(batch.claim_for(share, &package).unwrap());
        share.sign(&package, nonces).unwrap()
    };
    let shares: Vec<_> = signers.iter().zip(&mut batches).map(&mut sign).collect();
    for one in &shares {
        assert_eq!(SignatureShare::<S>::from_bytes(one.id(), &one.to_bytes()).unwrap(), *one);
    }
    let signature = key.public.aggregate(&package, &shares).unwrap();
    assert_eq!(Signature::<S>::from_bytes(signature.to_bytes().as_ref()).unwrap(), signature);
    let (_, announcement) = part1::<S>(id(1), threshold, &[0; 32], &mut rng).unwrap();
    let bytes = announcement.to_bytes();
    let again = Announcement::<S>::from_bytes(&bytes, usize::from(threshold)).unwrap();
    assert!(again == announcement && again.to_bytes() == bytes);
}

#[test]
fn vs_16_everything_reads_what_it_wrote() {
    quorate_testkit::for_every_suite!(of_random_keys);
    // Internal keys of Taproot, and what they are tweaked to.
    for seed in 0..6 {
        let (threshold, all) = shape(&mut rng(seed));
        let report = Network::new(seed)
            .run::<quorate::frost::secp256k1_tr::internal::Dkg>(
                SessionId::new([1; 32]),
                &all,
                |_| DkgParams::new(threshold),
            )
            .unwrap();
        for output in report.results.into_values().map(Result::unwrap) {
            let DkgOutput::<TaprootInternal> { share, public, .. } = output;
            share_and_package(&share, &public);
            for root in [None, Some([7; 32])] {
                let share = share.tweak(&public, root).unwrap();
                share_and_package(&share, &public.tweak(root).unwrap());
            }
        }
    }
}

/// Two dealers that choose their polynomials together, all small: every line a₀ + a₁x with
/// coefficients from −4 to 4 as the sum. Where a key comes out, it can be stored; where none does,
/// the line is zero at zero or at a party.
fn of_chosen_lines<S: Hostile>() {
    let small = |value: i64| {
        let magnitude = Scalar::<S>::from(value.unsigned_abs());
        if value < 0 { -magnitude } else { magnitude }
    };
    let all = parties([1, 2, 3]);
    let (mut made, mut refused) = (0, 0);
    for a0 in -4..=4 {
        for a1 in -4..=4 {
            let lines = [[small(11), small(13)], [small(a0 - 11), small(a1 - 13)]];
            let announced: Vec<_> = lines
                .iter()
                .zip([1, 2])
                .map(|(line, party)| {
                    let proof = prove::<S>(&[0; 32], id(party), &line[0]);
                    let body = [commitment::<S>(line), proof].concat();
                    (id(party), Announcement::<S>::from_bytes(&body, 2).unwrap())
                })
                .collect();
            let [own, other] = lines.map(|line| Secret::new(evaluate::<S>(&line, id(1))));
            let output =
                part3::<S>(id(1), &all, DkgParams::new(2), &own, &announced, &[(id(2), other)]);
            // The default tweak moves Taproot's shares away from zero, once there is a key.
            let zero = a1 == 0 || (0..=3).any(|x| a0 + a1 * x == 0);
            match output {
                Ok(output) => {
                    made += 1;
                    assert!(!zero, "{a0} + {a1}x");
                    share_and_package(&output.share, &output.public);
                }
                Err(liars) => {
                    refused += 1;
                    assert!(liars.is_empty(), "nobody is to blame");
                }
            }
        }
    }
    assert_eq!(made + refused, 81);
    assert!(refused >= 9);
}

#[test]
fn vs_16_every_key_that_dealers_can_choose_can_be_stored() {
    quorate_testkit::for_every_suite!(of_chosen_lines);
}
