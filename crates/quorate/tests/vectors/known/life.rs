//! A refresh of a generated key, its acknowledgement, a repair with and without a wrong value, a share exchange, and a
//! randomised signature.

use quorate::frost::generic::keys::{
    Acknowledge, AcknowledgeParams, Repair, RepairParams, RepairPlan, Repaired, Reshare,
    ReshareParams, ResharePlan, Reshared, ShareState,
};
use quorate::frost::generic::{
    Ciphersuite, Dkg, DkgOutput, DkgParams, Frost, Nonces, RandomizerSeed, ShareExchange,
    ShareExchangeParams, SignatureShare, SigningPackage,
};
use quorate::frost::secp256k1::Secp256k1Sha256;
use quorate::session::{Abort, Fault, SpentInMemory, Transcript};
use quorate::{Parties, PartyId};

use super::Values;
use super::played::{Place, Places, Played, play};
use crate::data::id;
use crate::group::{Group, rng};

type Suite = Secp256k1Sha256;
type Family = Frost<Suite>;

pub(super) fn values() -> Values {
    let mut values = Values::new();
    let generated = generated(&mut values);
    let refreshed = refreshed(&mut values, &generated);
    acknowledged(&mut values, refreshed);
    let dealt = Group::<Suite>::dealt(2, &of([1, 7, 65535]), &mut rng(1));
    repaired(&mut values, &dealt);
    exchanged(&mut values, &dealt);
    randomised(&mut values, &dealt);
    values
}

pub(super) fn of(numbers: impl IntoIterator<Item = u16>) -> Parties {
    Parties::new(numbers.into_iter().map(id)).unwrap()
}

/// The key of *Key generation*, in a suite.
pub(super) fn generate<S: Ciphersuite>() -> Played<Dkg<S>> {
    let part = |me, seed| (me, seed, DkgParams::new(2));
    play(5, [part(1, 6), part(300, 7)], |_, _, _| {})
}

fn generated(values: &mut Values) -> [DkgOutput<Suite>; 2] {
    let mut played = generate::<Suite>();
    let name = "the key generation, party 1, sealed in round 3";
    values.put_digest(name, &played.sealed[&(3, 1)]);
    [1, 300].map(|party| played.take(party))
}

/// The digest of the deals of a run, by the bodies of its first two rounds.
fn deals<P: quorate::session::Protocol>(
    played: &Played<P>,
    holders: &[u16],
    dealers: &[u16],
) -> [u8; 32] {
    let list =
        |parties: &[u16]| parties.iter().map(|party| party.to_be_bytes()).collect::<Vec<_>>();
    let mut transcript = Transcript::new("quorate-keys deals");
    transcript.append("context", &played.frames[&(1, 1)][7..39]);
    transcript.append_list("holders of keys", list(holders));
    transcript.append_list("keys", holders.iter().map(|party| played.body(1, *party)));
    transcript.append_list("recipients", list(dealers));
    transcript.append_list("dealers", list(dealers));
    transcript.append_list("deals", dealers.iter().map(|party| played.body(2, *party)));
    transcript.finish32()
}

/// Frames of these rounds, each with a body.
fn put_frames<P: quorate::session::Protocol>(values: &mut Values, name: &str, played: &Played<P>) {
    for ((round, party), frame) in played.frames.iter().filter(|(_, frame)| frame.len() > 71) {
        values.put(&format!("{name}, frame, round {round}, party {party}"), frame);
    }
}

/// The refresh of a generated key.
pub(super) fn refresh<S: Ciphersuite>(before: &[DkgOutput<S>; 2]) -> Played<Reshare<Frost<S>>> {
    let plan = ResharePlan::refresh(before[0].public.shared(), of([1, 300])).unwrap();
    let dealer = |at: usize| ReshareParams::dealer(&plan, before[at].share.secret_share()).unwrap();
    play(9, [(1, 12, dealer(0)), (300, 13, dealer(1))], |_, _, _| {})
}

fn refreshed(values: &mut Values, before: &[DkgOutput<Suite>; 2]) -> [Reshared<Family>; 2] {
    let mut played = refresh(before);
    put_frames(values, "refresh", &played);
    let after = [1, 300].map(|party| played.take(party));
    let [one, other] = &after;
    let digest = deals(&played, &[1, 300], &[1, 300]);
    let mut confirms = Transcript::new("quorate-keys reshare confirm");
    confirms.append("context", &played.frames[&(1, 1)][7..39]);
    confirms.append("deals", &digest);
    confirms.append_list("package", [one.public.to_bytes()]);
    assert_eq!(played.body(3, 1), [&[0], confirms.finish32().as_slice()].concat());
    values.put("refresh, digest of the deals", &digest);
    values.put_digest("the refresh, party 1, sealed in round 3", &played.sealed[&(3, 1)]);
    for (party, end) in [(1, one), (300, other)] {
        let share = end.share.as_ref().unwrap();
        assert_eq!((share.state(), end.public.epoch()), (ShareState::Pending, 1));
        values.put(&format!("refresh, share, party {party}"), &share.to_bytes());
    }
    values.put("refresh, public key package", &one.public.to_bytes());
    after
}

fn acknowledged(values: &mut Values, ends: [Reshared<Family>; 2]) {
    let part = |party, end: &Reshared<Family>| {
        let share = end.share.as_ref().unwrap().to_bytes();
        (party, 0, AcknowledgeParams::from_stored(&share, &end.public.to_bytes()).unwrap())
    };
    let parts = [part(1, &ends[0]), part(300, &ends[1])];
    let mut played = play::<Acknowledge<Family>, 2>(11, parts, |_, _, _| {});
    values.put("acknowledgement, frame, party 1", &played.frames[&(1, 1)]);
    values.put("acknowledgement, frame, party 300", &played.frames[&(1, 300)]);
    let (stored, [one, _]) = (played.take(1), ends);
    let mut share = one.share.unwrap();
    share.settle(&stored).unwrap();
    values.put("acknowledgement, settled share, party 1", &share.to_bytes());
}

/// Party 7 loses its share, and 1 and 65535 help.
pub(super) fn repair<S: Ciphersuite>(
    dealt: &Group<S>,
    alter: impl Fn(Place, &mut Vec<u8>, &Places),
) -> Played<Repair<Frost<S>>> {
    let plan = RepairPlan::new(dealt.public.shared(), of([1, 65535]), id(7)).unwrap();
    let helper = |me| RepairParams::helper(&plan, dealt.share(id(me)).secret_share()).unwrap();
    let target = RepairParams::target(&plan);
    play(10, [(1, 14, helper(1)), (7, 15, target), (65535, 16, helper(65535))], alter)
}

fn repaired(values: &mut Values, dealt: &Group<Suite>) {
    let mut played = repair(dealt, |_, _, _| {});
    put_frames(values, "repair", &played);
    values.put("repair, digest of the deals", &deals(&played, &[1, 7, 65535], &[1, 65535]));
    values.put_digest("the repair, party 7, sealed in round 4", &played.sealed[&(4, 7)]);
    let Repaired::Share(share) = played.take(7) else { panic!("a share") };
    assert_eq!(share.to_bytes(), dealt.share(id(7)).to_bytes());
    complained(values, dealt);
}

/// Party 65535 seals a wrong value.
fn complained(values: &mut Values, dealt: &Group<Suite>) {
    let wrong = |place: Place, frame: &mut Vec<u8>, before: &Places| match place {
        (3, 65535) => *frame.last_mut().unwrap() ^= 1,
        // It does not give itself away by its echo.
        (4, 65535) => frame[39..71].copy_from_slice(&before[&(4, 1)][39..71]),
        _ => {}
    };
    let mut played = repair(dealt, wrong);
    values.put("complaint, frame, round 4, party 7", &played.frames[&(4, 7)]);
    for party in [1, 7] {
        let end = played.ends.remove(&id(party)).unwrap();
        let Err(Abort::Misbehaviour(blames)) = end else { panic!("a culprit") };
        let named: Vec<_> = blames.iter().map(|blame| (blame.party, blame.fault)).collect();
        assert_eq!(named, [(id(65535), Fault::InvalidShare)]);
    }
}

/// The package of *Signing*, and both pairs of nonces.
fn signing(dealt: &Group<Suite>) -> (SigningPackage<Suite>, [(PartyId, Nonces<Suite>); 2]) {
    let (firsts, one) = dealt.share(id(1)).commit(&mut rng(2));
    let mut batch = dealt.share(id(65535)).precompute(2, &mut rng(3));
    let other = batch.commitments().next().unwrap();
    let package = SigningPackage::new(&dealt.public, [one, other], b"pinned").unwrap();
    let claim = batch.claim_for(dealt.share(id(65535)), &package).unwrap();
    let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
    let lasts = claim.release(receipt).unwrap();
    (package, [(id(1), firsts), (id(65535), lasts)])
}

fn exchanged(values: &mut Values, dealt: &Group<Suite>) {
    let (package, nonces) = signing(dealt);
    let (public, all) = (dealt.public.clone().into(), std::sync::Arc::new(package));
    let part = |(party, nonces): (PartyId, _)| {
        let own = dealt.share(party).sign(&all, nonces).unwrap();
        let public = std::sync::Arc::clone(&public);
        (party.get(), 0, ShareExchangeParams::new(public, std::sync::Arc::clone(&all), own))
    };
    let mut played = play::<ShareExchange<Suite>, 2>(12, nonces.map(part), |_, _, _| {});
    put_frames(values, "share exchange", &played);
    let signature = played.take(1);
    assert_eq!(played.take(65535), signature);
    values.put("share exchange, signature", &signature.to_bytes());
}

fn randomised(values: &mut Values, dealt: &Group<Suite>) {
    let (package, [(_, firsts), _]) = signing(dealt);
    let seed = RandomizerSeed::from_bytes(&[14; 32]);
    // The record of a batch is for one digest.
    let mut batch = dealt.share(id(65535)).precompute(2, &mut rng(3));
    let claim = batch.claim_randomized(dealt.share(id(65535)), &package, &seed).unwrap();
    let receipt = claim.record().store(&mut SpentInMemory::new()).unwrap();
    let lasts = claim.release(receipt).unwrap();
    let sign = |party, nonces| -> SignatureShare<Suite> {
        dealt.share(id(party)).sign_randomized(&package, nonces, &seed).unwrap()
    };
    let shares = [sign(1, firsts), sign(65535, lasts)];
    let key = dealt.public.randomized(&package, &seed).unwrap();
    let signature = key.aggregate(&package, &shares).unwrap();
    key.verifying_key().verify(b"pinned", &signature).unwrap();
    values.put("randomised, public key", key.verifying_key().as_bytes().as_ref());
    values.put("randomised, digest of the signing package", &package.digest(Some(&seed)));
    values.put("randomised, signature share, party 1", &shares[0].to_bytes());
    values.put("randomised, signature", &signature.to_bytes());
}
