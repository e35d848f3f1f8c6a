//! The life of a key: refresh, resharing and repair, with presignatures and auxiliary information over them.

use std::collections::BTreeMap;
use std::sync::Arc;

use chacha20::rand_core::{CryptoRng, Rng};
use quorate_cggmp::keys::{Backup, BackupKey};
use quorate_cggmp::single_point_of_failure::{ExportError, export, import};
use quorate_cggmp::{
    Acknowledge, AcknowledgeParams, AuxInfo, AuxInfoGen, AuxInfoParams, ClaimError, DecodeError,
    Ecdsa, EcdsaCurve, KeyShare, MessageDigest, Mismatch, P256, PlanError, Presign, PresignParams,
    Presignatures, PublicKeyPackage, Repair, RepairParams, RepairPlan, Repaired, ReshareParams,
    Reshared, Secp256k1, ShareState, StoredByAll,
};
use quorate_session::sim::{Delivery, Network, Report};
use quorate_session::{Abort, Continuity, ParamError, PartyId, Rejected, SealKey, Session};
use quorate_sharing::lagrange;

use crate::support::*;

type C = Secp256k1;

/// Signs from presignatures, and has another implementation verify it.
fn signs<V: Verifier>(group: &Group<V>, session: u8, signers: &[u16]) {
    let made = group.presign(session, signers);
    let info = made[0].info().clone();
    let shares = signature_shares(group, made, b"message");
    let signature =
        info.aggregate(&group.itself(), MessageDigest::sha256(b"message"), shares).unwrap();
    V::verify(group.keys[0].verifying_key().as_bytes(), b"message", &signature);
}

fn copy<C: EcdsaCurve>(key: &KeyShare<C>) -> KeyShare<C> {
    let info = PublicKeyPackage::from_bytes(&key.public().to_bytes()).unwrap();
    KeyShare::from_bytes(&key.to_bytes(), &info).unwrap()
}

/// A refresh keeps the key, the chain code and rid; the auxiliary information stays valid.
fn refreshed_keys_sign<V: Verifier>() {
    let old = Group::<V>::new(2);
    let new = old.reshared(&[2, 40], &NUMBERS, 2);
    let (before, after) = (old.keys[0].public(), new.keys[0].public());
    assert_eq!((before.epoch(), after.epoch()), (0, 1));
    assert!(before.verifying_key() == after.verifying_key() && before.key_id() == after.key_id());
    assert_eq!((before.chain_code(), before.rid()), (after.chain_code(), after.rid()));
    for (before, after) in old.keys.iter().zip(&new.keys) {
        assert_eq!((before.state(), after.state()), (ShareState::Ready, ShareState::Pending));
        assert!(before.public().verifying_share(before.id()).is_some());
        let point = after.public().verifying_share(before.id());
        assert!(before.public().verifying_share(before.id()) != point);
    }
    // A pending share signs, and so does the old one, which stays until all have acknowledged.
    signs(&new, 80, &[7, 40]);
    signs(&old, 81, &[2, 7]);
    // Children are the same, and sign.
    let path = "m/0/5".parse().unwrap();
    let child = |group: &Group<V>| group.keys[1].derive(&path).unwrap();
    assert!(child(&old).verifying_key() == child(&new).verifying_key());
    assert_eq!(child(&new).state(), ShareState::Pending);
}

#[test]
fn refreshed_keys_sign_over_secp256k1() {
    refreshed_keys_sign::<Secp256k1>();
}

#[test]
fn refreshed_keys_sign_over_p256() {
    refreshed_keys_sign::<P256>();
}

/// A presignature made before a refresh is refused by name after it, and leaves the inventory.
#[test]
fn presignatures_of_an_older_epoch_die() {
    let old = Group::<C>::new(2);
    let new = old.reshared(&[2, 7], &NUMBERS, 2);
    let (before, after) = (old.key_of(id(2)), new.key_of(id(2)));
    let wrong = Mismatch::WrongEpoch { expected: 1, got: 0 };
    let mut held = Presignatures::new(id(2));
    let mut names = vec![];
    for (group, session) in [(&old, 82), (&old, 83), (&new, 84)] {
        let one = group.presign(session, &[2, 7]).remove(0);
        names.push(one.id());
        held.insert(one).unwrap();
    }
    assert_eq!(held.info(&names[0]).unwrap().check_belongs_to(before.public()), Ok(()));
    assert_eq!(held.info(&names[0]).unwrap().check_belongs_to(after.public()), Err(wrong));
    // A refused claim leaves it; the old share would still spend it.
    let refused = |held: &mut Presignatures<C>, name, key| {
        held.claim(&name, key, &no_path(), MessageDigest::sha256(b"message"))
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(refused(&mut held, names[0], after), ClaimError::Mismatch(wrong));
    let behind = ClaimError::Mismatch(Mismatch::WrongEpoch { expected: 0, got: 1 });
    assert_eq!(refused(&mut held, names[2], before), behind);
    assert!(held.claim(&names[1], before, &no_path(), MessageDigest::sha256(b"message")).is_ok());
    assert_eq!(held.len(), 2);
    assert_eq!(held.keep_only(after.public()), 1);
    assert!(held.ids().eq([names[2]]));
    let seal = SealKey::new([9; 32]);
    let mut held =
        Presignatures::<C>::open(&held.seal(&seal), &seal, Continuity::StayedUp).unwrap();
    assert_eq!(held.keep_only(after.public()), 0);
    assert!(held.claim(&names[2], after, &no_path(), MessageDigest::sha256(b"message")).is_ok());
    // Two refreshes of one epoch are told apart.
    let other = old.reshared(&[7, 40], &NUMBERS, 2);
    let mut held = Presignatures::new(id(2));
    held.insert(new.presign(85, &[2, 7]).remove(0)).unwrap();
    assert_eq!(held.keep_only(other.keys[0].public()), 1);
    assert!(held.is_empty());
}

/// Two signers in different epochs reject each other, and each learns what differs.
#[test]
fn signers_of_two_epochs_are_told_so() {
    let old = Group::<C>::new(2);
    let [new, other] = [[2, 7], [7, 40]].map(|dealers| old.reshared(&dealers, &NUMBERS, 2));
    for (one, another, what) in [(&old, &new, "epoch"), (&new, &other, "package")] {
        let signers = parties([2, 7]);
        let start = |group: &Group<C>, me| {
            let rng = &mut seeded(3);
            Session::<Presign<C>>::start(sid(86), me, &signers, group.params(me), rng).unwrap()
        };
        let (mut mine, theirs) = (start(one, id(2)), start(another, id(7)));
        let frame = &theirs.outgoing[0].bytes;
        let rejected = mine.session.receive(id(7), frame).unwrap_err();
        assert_eq!(rejected, Rejected::OtherParameters { which: what });
    }
    // Nor is a share opened as one of another epoch.
    let error =
        KeyShare::<C>::from_bytes(&old.keys[0].to_bytes(), new.keys[0].public()).unwrap_err();
    assert_eq!(error, DecodeError::Mismatch(Mismatch::WrongEpoch { expected: 1, got: 0 }));
    let plan = plan(&new.keys, &[2, 7], &NUMBERS, 2);
    let refused = ReshareParams::dealer(&plan, old.keys[0].secret_share()).unwrap_err();
    assert_eq!(refused, PlanError::Mismatch(Mismatch::WrongEpoch { expected: 1, got: 0 }));
}

fn refused(key: &Arc<KeyShare<C>>, aux: &Arc<AuxInfo>, signers: &[u16]) -> Option<ParamError> {
    let params = PresignParams::new(Arc::clone(key), Arc::clone(aux));
    let (signers, rng) = (parties(signers), &mut seeded(1));
    Session::<Presign<C>>::start(sid(87), key.id(), &signers, params, rng).err()
}

/// A committee of fewer presigns with the auxiliary information that it has.
#[test]
fn a_smaller_committee_keeps_its_aux_info() {
    let old = Group::<C>::new(2);
    let new = old.reshared(&[2, 40], &[7, 40], 2);
    assert!(old.aux[1].lacks(new.keys[0].public().parties()).next().is_none());
    assert!(new.keys.iter().map(|key| key.id()).eq([id(7), id(40)]));
    signs(&new, 88, &[7, 40]);
}

/// {2, 7, 40} becomes {7, 40, 50}. The parties that stay keep using their auxiliary information among themselves, and 50
/// takes part once all of the new committee have made new one. Only 50 needs new primes.
#[test]
fn a_party_that_joins_makes_aux_info_first() {
    let old = Group::<C>::new(2);
    let to = [7, 40, 50];
    let new = old.reshared(&[2, 7], &to, 2);
    let lacking: Vec<_> = old.aux[1].lacks(new.keys[0].public().parties()).collect();
    assert_eq!(lacking, [id(50)]);
    let why = refused(&new.keys[0], &old.aux[1], &[7, 50]).unwrap();
    assert!(why.to_string().contains("aux-info without one of the signers"), "{why}");
    signs(&new, 89, &[7, 40]);
    let params = |party: PartyId| match old.aux.iter().find(|aux| aux.id() == party) {
        Some(aux) => AuxInfoParams::carried_over(aux),
        None => AuxInfoParams::new(secrets(FAST, 3)),
    };
    let all_new = parties(to);
    let report = Network::new(1).run::<AuxInfoGen>(sid(90), &all_new, params).unwrap();
    let aux: Vec<_> = all(report).into_values().map(Arc::new).collect();
    for party in [7, 40].map(id) {
        let [before, after] = [&old.aux[1], &aux[1]].map(|aux| aux.public().encryption_key(party));
        assert!(before == after && before.is_some());
    }
    assert!(aux[0].lacks(&all_new).next().is_none());
    let new = Group { keys: new.keys, aux };
    signs(&new, 91, &[7, 50]);
}

/// The value at zero of the polynomial through these shares, as a point.
fn interpolated<C: EcdsaCurve>(shares: &[&KeyShare<C>]) -> C::Point {
    let ids: Vec<_> = shares.iter().map(|share| share.id()).collect();
    let values: Vec<_> =
        shares.iter().map(|share| *share.secret_share().secret().expose()).collect();
    C::mul_base(lagrange::interpolate_at_zero::<C>(&ids, &values).unwrap().expose())
}

/// The subsets of this size.
fn subsets<T: Copy>(of: &[T], size: usize) -> Vec<Vec<T>> {
    let chosen = |mask: u32| (0..of.len()).filter(move |bit| mask >> bit & 1 == 1);
    let masks = (0..1 << of.len()).filter(|mask: &u32| mask.count_ones() as usize == size);
    masks.map(|mask| chosen(mask).map(|at| of[at]).collect()).collect()
}

fn numbers<C: EcdsaCurve>(keys: &[Arc<KeyShare<C>>]) -> Vec<u16> {
    keys.iter().map(|key| key.id().get()).collect()
}

/// Any t of the members make the key, t − 1 do not, and shares of two epochs do not, in any mix of sizes.
fn holds_together<C: EcdsaCurve>(keys: &[Arc<KeyShare<C>>], before: Option<&[Arc<KeyShare<C>>]>) {
    let info = keys[0].public();
    let (x, t) = (*info.verifying_key().point(), usize::from(info.threshold()));
    let now: Vec<&KeyShare<C>> = keys.iter().map(|key| &**key).collect();
    assert!(now.iter().map(|key| key.id()).eq(info.parties().iter()));
    for chosen in subsets(&now, t) {
        assert!(interpolated(&chosen) == x);
        let copies: Vec<_> = chosen.iter().map(|one| copy(one)).collect();
        assert!(C::mul_base(export(&copies).unwrap().expose()) == x);
    }
    for chosen in subsets(&now, t - 1) {
        assert!(interpolated(&chosen) != x);
    }
    let Some(before) = before else { return };
    assert!(before[0].public().key_id() == info.key_id());
    for old in before {
        assert!(old.secret_share().check_belongs_to(info.shared()).is_err());
        for rest in subsets(&now, t - 1) {
            if rest.iter().all(|one| one.id() != old.id()) {
                let mixed = [rest.as_slice(), &[&**old]].concat();
                assert!(interpolated(&mixed) != x);
                let copies: Vec<_> = mixed.iter().map(|one| copy(one)).collect();
                assert!(matches!(export(&copies), Err(ExportError::Mismatch { .. })));
            }
        }
    }
}

/// The share of `target` from t others, in place of what it has.
fn repaired<C: EcdsaCurve>(keys: &mut [Arc<KeyShare<C>>], target: usize) {
    let info = keys[0].public().clone();
    let lost = keys[target].id();
    let others = keys.iter().map(|key| key.id()).filter(|party| *party != lost);
    let helpers: Vec<u16> = others.take(info.threshold().into()).map(PartyId::get).collect();
    let plan = RepairPlan::<C>::new(info.shared(), parties(&helpers), lost).unwrap();
    let report = Network::new(2).run::<Repair<C>>(sid(6), &plan.parties(), |me| {
        match keys.iter().find(|key| key.id() == me && me != lost) {
            Some(key) => RepairParams::helper(&plan, key.secret_share()).unwrap(),
            None => RepairParams::target(&plan),
        }
    });
    for (party, result) in all(report.unwrap()) {
        if let Repaired::Share(share) = result {
            assert!(party == lost && *share.public() == info);
            assert!(
                share.secret_share().secret().expose()
                    == keys[target].secret_share().secret().expose()
            );
            keys[target] = Arc::new(share);
        }
    }
}

/// A share is lost, and is restored from its backup.
fn restored<C: EcdsaCurve>(keys: &mut [Arc<KeyShare<C>>], lost: usize, rng: &mut impl CryptoRng) {
    let info = keys[lost].public().clone();
    let offline = BackupKey::<Ecdsa<C>>::generate(rng).unwrap();
    let sealed =
        Backup::seal(keys[lost].secret_share(), info.shared(), offline.recipient(), b"", rng)
            .unwrap();
    let share = offline.restore(&sealed, info.shared()).unwrap();
    assert!(share.secret().expose() == keys[lost].secret_share().secret().expose());
    keys[lost] = Arc::new(KeyShare::from_bytes(&share.to_bytes(), &info).unwrap());
}

/// A step of a life without a session: the key is derived, restored, or reconstructed and dealt anew.
fn changed<C: EcdsaCurve>(
    keys: &mut Vec<Arc<KeyShare<C>>>,
    (how, at): (usize, usize),
    rng: &mut impl CryptoRng,
) {
    let info = keys[0].public().clone();
    match how {
        0 => restored(keys, at, rng),
        1 => {
            // From here on the key is its own child.
            let path = "m/3".parse().unwrap();
            *keys = keys.iter().map(|key| Arc::new(key.derive(&path).unwrap())).collect();
        }
        _ => {
            let copies: Vec<_> = keys.iter().map(|key| copy(key)).collect();
            let secret = export(&copies[at..][..info.threshold().into()]).unwrap();
            let code = Some(*info.chain_code());
            let dealt = import::<C>(secret, code, info.threshold(), info.parties(), rng).unwrap();
            *keys = dealt.into_iter().map(Arc::new).collect();
            assert!(keys[0].verifying_key() == info.verifying_key());
        }
    }
}

/// Random lives of a key; at the end of each, t of the members presign and sign for it.
fn random_life<V: Verifier>(seed: u8) {
    let mut rng = seeded(seed);
    let mut below = |bound: usize| rng.next_u32() as usize % bound;
    let mut group = Group::<V>::new(2);
    let mut first = *group.keys[0].verifying_key();
    for _ in 0..7 {
        let (now, t) = (numbers(&group.keys), usize::from(group.keys[0].public().threshold()));
        let enough = subsets(&now, t + below(now.len() - t + 1));
        let dealers = enough[below(enough.len())].clone();
        let (to, threshold) = match below(6) {
            how @ 3.. => {
                let at = below(now.len() - t + 1);
                changed(&mut group.keys, (how - 3, at), &mut seeded(seed));
                holds_together(&group.keys, None);
                first = *group.keys[0].verifying_key();
                continue;
            }
            0 if t < now.len() => {
                repaired(&mut group.keys, below(now.len()));
                holds_together(&group.keys, None);
                continue;
            }
            0 | 1 => (now, t),
            _ => {
                // Out of six, of which NUMBERS have auxiliary information.
                let all = subsets(&[2, 7, 9, 40, 41, 50], 2 + below(3));
                let to = all[below(all.len())].clone();
                let threshold = 2 + below(to.len() - 1);
                (to, threshold)
            }
        };
        let new = group.reshared(&dealers, &to, threshold as u16);
        holds_together(&new.keys, Some(&group.keys));
        group = new;
    }
    let group = group.reshared(&numbers(&group.keys), &NUMBERS, 2);
    assert!(*group.keys[0].verifying_key() == first);
    signs(&group, 92, &[[2, 7], [2, 40], [7, 40]][below(3)]);
}

#[test]
fn random_lives_over_secp256k1() {
    (1..4).for_each(random_life::<Secp256k1>);
}

#[test]
fn random_lives_over_p256() {
    (4..6).for_each(random_life::<P256>);
}

/// The stored shares of a party: the old one, and the new one if it came so far.
struct Disk {
    old: KeyShare<C>,
    new: Option<KeyShare<C>>,
}

/// A party stops after it has sent, or received, a number of frames. The parties that are left have enough shares of one
/// epoch to sign, and nobody is blamed.
fn dies(group: &Group<C>, dead: u16, after: usize, deaf: bool) {
    let mut passed = 0;
    let network = Network::new(1).tamper(move |one: Delivery| {
        let its = if deaf { one.to } else { one.from };
        passed += usize::from(its == id(dead));
        if its == id(dead) && passed > after { vec![] } else { vec![one] }
    });
    let plan = plan(&group.keys, &[2, 40], &NUMBERS, 2);
    let Report { results, mut unconfirmed, .. } = reshare(&group.keys, &plan, network);
    let mut disks = BTreeMap::new();
    for (party, result) in results {
        if let Err(abort) = &result {
            assert!(matches!(abort, Abort::Missing { .. }), "{party}: {abort}");
        }
        let came: Option<Reshared<C>> = result.ok().or_else(|| unconfirmed.remove(&party));
        let new = came.and_then(|one| one.share).map(|share| copy(&share));
        disks.insert(party, Disk { old: copy(group.key_of(party)), new });
    }
    let live = || disks.iter().filter(|(party, _)| **party != id(dead)).map(|(_, disk)| disk);
    // No party has deleted anything yet, and the new shares fit together.
    let olds: Vec<_> = live().map(|disk| &disk.old).collect();
    assert!(interpolated(&olds) == *group.keys[0].verifying_key().point());
    let news: Vec<_> = live().filter_map(|disk| disk.new.as_ref()).collect();
    if news.len() == 2 {
        assert!(interpolated(&news) == *group.keys[0].verifying_key().point());
        assert!(news[0].public() == news[1].public());
    }
    // A share that lacks a confirmation does not sign.
    for share in news.iter().filter(|share| share.state() == ShareState::Unconfirmed) {
        let key = Arc::new(copy(share));
        let place = NUMBERS.iter().position(|number| id(*number) == share.id()).unwrap();
        let why = refused(&key, &group.aux[place], &NUMBERS).unwrap();
        assert!(why.to_string().contains("the key is not confirmed"), "{why}");
    }
}

#[test]
fn a_death_at_any_frame_of_a_refresh_loses_nothing() {
    let group = Group::<C>::new(2);
    for dead in NUMBERS {
        for after in 0..=6 {
            for deaf in [true, false] {
                dies(&group, dead, after, deaf);
            }
        }
    }
    // Parties that crash and are resumed change nothing.
    let plan = plan(&group.keys, &[2, 40], &NUMBERS, 2);
    let smooth = all(reshare(&group.keys, &plan, Network::new(4)));
    let bumpy = all(reshare(&group.keys, &plan, Network::new(4).crash(100)));
    assert!(smooth.values().zip(bumpy.values()).all(|(one, other)| one.public == other.public));
}

/// Old shares are deleted when all have stored the new ones, and then the new ones are ready.
#[test]
fn acknowledged_shares_are_settled() {
    let old = Group::<C>::new(2);
    let new = old.reshared(&[2, 7], &NUMBERS, 2);
    let of_stored = |me: PartyId| {
        let key = new.key_of(me);
        AcknowledgeParams::<C>::from_stored(&key.to_bytes(), &key.public().to_bytes()).unwrap()
    };
    let report = Network::new(1).run::<Acknowledge<C>>(sid(93), &parties(NUMBERS), of_stored);
    for (party, by) in all(report.unwrap()) {
        let by: StoredByAll<C> = by;
        assert!(by.permits_deleting(old.key_of(party).secret_share()));
        assert!(!by.permits_deleting(new.key_of(party).secret_share()));
        let mut share = copy(new.key_of(party));
        share.settle(&by).unwrap();
        assert_eq!(copy(&share).state(), ShareState::Ready);
        let refused = copy(old.key_of(party)).settle(&by).unwrap_err();
        assert_eq!(refused, Mismatch::WrongEpoch { expected: 1, got: 0 });
    }
}
