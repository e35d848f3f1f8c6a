//! Stored presignatures: alone, as an inventory, sealed, and what is public of them.

use quorate_cggmp::{Ecdsa, MessageDigest, Presignature, PresignatureInfo, Presignatures};
use quorate_frost::keys::Family as _;
use quorate_frost::session::container::{HEADER, Kind, SEALED, body};
use quorate_frost::session::{Continuity, SealKey, SpentInMemory};

use super::fixture::{DIGEST, Made, ORDER, Suite};
use super::forms::{form, strict};
use crate::fixture::{KEY, MESSAGE, id};
use crate::input::Input;

/// The kinds of sealed presignatures.
const ONE: Kind = Kind { code: 36 | SEALED, name: "a sealed presignature", version: 1 };
const MANY: Kind =
    Kind { code: 39 | SEALED, name: "a sealed inventory of presignatures", version: 2 };
/// Bytes of a point.
const POINT: usize = 33;

/// The first byte: what it is, and in the bits above how it is made.
pub(crate) fn ecdsa_presignature<C: Suite>(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let what = input.byte();
    match what % 4 {
        0 => presignature::<C>(what >> 2, &mut input),
        1 => info::<C>(what >> 2, &mut input),
        2 => inventory::<C>(what >> 2, &mut input),
        _ => seal::<C>(what >> 2, input.bytes(usize::MAX)),
    }
}

/// A presignature that is accepted can be sealed, and signs as its own public part says.
fn presignature<C: Suite>(mode: u8, input: &mut Input<'_>) -> bool {
    let made = &C::fixture().presignatures[0];
    let bytes = form(mode, input, &made.stored[&id(1)]);
    let encode = |one: &Presignature<C>| one.to_bytes().to_vec();
    let Some(one) = strict(&bytes, Presignature::<C>::from_bytes, encode) else { return false };
    assert!(one.info().signers().contains(one.party_id()));
    assert!(adds_up::<C>(one.info()), "points that do not add up");
    let key = SealKey::new(KEY);
    let sealed = one.seal(&key);
    let body = body(&bytes).expect("a form");
    assert!(sealed == Ecdsa::<C>::label(ONE).seal(&key, body));
    let again = Presignature::<C>::open(&sealed, &key).expect("just sealed");
    assert!(again.id() == one.id() && again.info() == one.info());
    let is_known = made.stored.values().any(|stored| *stored == bytes);
    assert!(is_known || one.info().digest() != made.info.digest(), "another of that digest");
    spend(one, made);
    true
}

/// Claims it under the key of the fixture, which its name may say.
fn spend<C: Suite>(one: Presignature<C>, made: &Made<C>) {
    let (info, id, party) = (one.info().clone(), one.id(), one.party_id());
    let share = made.share(party);
    let fits = info.check_belongs_to(share.public()).is_ok();
    match one.claim(share, &ORDER.path(), MessageDigest::sha256(MESSAGE)) {
        Ok(claim) => {
            assert!(fits && claim.record().id == id.name());
            let receipt = claim.record().store(&mut SpentInMemory::new()).expect("unspent");
            let share = claim.release(receipt).expect("its own receipt");
            assert!(share.presignature() == id && share.id() == party);
            let verified = info.verify_share(
                &made.child(ORDER),
                MessageDigest::sha256(MESSAGE),
                party,
                &share.to_bytes(),
            );
            assert!(verified == Ok(share));
        }
        Err(error) => assert!(!fits, "refused: {error}"),
    }
}

/// Checks whether the points of a presignature add up to the generator and to the key, by another
/// implementation: ΣΔ̃ = G and ΣS̃ = X.
fn adds_up<C: Suite>(info: &PresignatureInfo<C>) -> bool {
    let stored = info.to_bytes();
    let signers = info.signers().len();
    let pairs = &stored[stored.len() - DIGEST - 2 * POINT * signers..stored.len() - DIGEST];
    let column =
        |first: usize| -> Vec<&[u8]> { pairs.chunks_exact(POINT).skip(first).step_by(2).collect() };
    let key = info.verifying_key().as_bytes().as_slice();
    C::sums_up(&column(0), None) && C::sums_up(&column(1), Some(key))
}

/// A presignature that is accepted takes the shares that it was made for, or none.
fn info<C: Suite>(mode: u8, input: &mut Input<'_>) -> bool {
    let fixture = C::fixture();
    let made = &fixture.presignatures[0];
    let bytes = form(mode, input, &made.info.to_bytes());
    let encode = PresignatureInfo::<C>::to_bytes;
    let Some(info) = strict(&bytes, PresignatureInfo::<C>::from_bytes, encode) else {
        return false;
    };
    assert!(adds_up::<C>(&info), "points that do not add up");
    let same = info == made.info;
    assert_eq!(same, info.digest() == made.info.digest());
    let shares = fixture.signature_shares.iter().map(|share| (share.id(), share.to_bytes()));
    let combined = info.aggregate(&made.child(ORDER), MessageDigest::sha256(MESSAGE), shares);
    assert_eq!(combined.is_ok(), same, "a signature from another presignature");
    true
}

/// An inventory, whatever was sealed.
fn inventory<C: Suite>(mode: u8, input: &mut Input<'_>) -> bool {
    let key = SealKey::new(KEY);
    // As the body of a form, so that it is altered like one.
    let honest = [&[0; HEADER][..], &honest_inventory::<C>(), &[0; DIGEST]].concat();
    let content = form(mode, input, &honest);
    let Some(content) = content.get(HEADER..content.len().saturating_sub(DIGEST)) else {
        return false;
    };
    let sealed = Ecdsa::<C>::label(MANY).seal(&key, content);
    let Ok(mut held) = Presignatures::<C>::open(&sealed, &key, Continuity::StayedUp) else {
        return false;
    };
    assert!(held.seal(&key) == sealed, "opened, but not canonical");
    let ids: Vec<_> = held.ids().collect();
    assert!(ids.is_sorted() && held.len() == ids.len());
    let made = &C::fixture().presignatures[0];
    let share = made.share(held.id());
    for id in &ids {
        let fits = held.info(id).expect("it is there").check_belongs_to(share.public()).is_ok();
        assert_eq!(
            held.claim(id, share, &ORDER.path(), MessageDigest::sha256(MESSAGE)).is_ok(),
            fits
        );
        // What was refused is still there.
        assert_eq!(held.info(id).is_none(), fits);
        assert!(
            held.claim(id, share, &ORDER.path(), MessageDigest::sha256(MESSAGE)).is_err(),
            "claimed twice"
        );
    }
    let left = held.len();
    assert_eq!(held.keep_only(share.public()), left, "what fits was claimed");
    true
}

/// Party 1's presignatures, as they are sealed.
pub(super) fn honest_inventory<C: Suite>() -> Vec<u8> {
    let key = SealKey::new(KEY);
    let mut held = Presignatures::<C>::new(id(1));
    let parts = C::fixture().presignatures.iter().filter_map(|made| made.part(id(1)));
    parts.take(2).for_each(|part| held.insert(part).expect("two of party 1"));
    let label = Ecdsa::<C>::label(MANY);
    label.unseal(&key, &held.seal(&key)).expect("just sealed").1.to_vec()
}

/// Seals as they come: nothing opens but what was sealed.
fn seal<C: Suite>(mode: u8, bytes: &[u8]) -> bool {
    let key = SealKey::new(KEY);
    if mode & 1 == 0 {
        let Ok(one) = Presignature::<C>::open(bytes, &key) else { return false };
        assert!(one.seal(&key) == bytes, "opened, but not canonical");
    } else {
        let Ok(held) = Presignatures::<C>::open(bytes, &key, Continuity::StayedUp) else {
            return false;
        };
        // Version 1 opens, and is sealed as version 2.
        let older = bytes.get(4) == Some(&1);
        assert!(older || held.seal(&key) == bytes, "opened, but not canonical");
    }
    true
}
