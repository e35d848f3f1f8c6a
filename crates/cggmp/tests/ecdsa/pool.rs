//! One pool of presignatures for a key and all keys derived from it.

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{
    AggregateError, ClaimError, DerivationPath, DeriveError, Derived, Ecdsa, HardenedChild,
    KeyExtra, KeyShare, MessageDigest, Mismatch, P256, Presignature, Presignatures,
    PublicKeyPackage, Secp256k1, ShareFault, ShareMismatch, ShareRejected, Signature,
    SignatureShare,
};
use quorate_session::{PartyId, RecordError, SpentInMemory};
use std::sync::Arc;

use crate::aux_info::resealed;
use crate::dealer::Dealer;
use crate::support::*;

type C = Secp256k1;
type Scalar = <C as Curve>::Scalar;

const SIGNERS: [u16; 2] = [2, 7];

fn path(text: &str) -> DerivationPath {
    text.parse().unwrap()
}

/// The inventories of both signers: two presignatures of real runs, and as many of the dealer's as
/// needed, with the stored forms of all.
fn pool<V: Verifier>(group: &Group<V>, size: u64) -> (Vec<Presignatures<V>>, Vec<[Vec<u8>; 2]>) {
    let real = [80, 81].map(|session| group.presign(session, &SIGNERS));
    let dealer = Dealer::new(group, &real[0]);
    let all = real.into_iter().chain((2..size).map(|number| dealer.deal(number).parts));
    let mut held: Vec<_> = SIGNERS.iter().map(|number| Presignatures::new(id(*number))).collect();
    let mut stored = Vec::new();
    for parts in all {
        stored.push([0, 1].map(|place: usize| parts[place].to_bytes().to_vec()));
        for (inventory, part) in held.iter_mut().zip(parts) {
            inventory.insert(part).unwrap();
        }
    }
    (held, stored)
}

/// Another implementation verifies every child's signature under the child's key. A presignature that was
/// spent on one child cannot be spent on another, neither from the inventory nor restored.
fn one_pool<V: Verifier>(size: u64, verify: impl Fn(&[u8; 33], &[u8], &Signature<V>)) {
    let group = Group::<V>::new(2);
    let key = group.keys[0].public();
    let (mut held, stored) = pool(&group, size);
    let mut spent = [SpentInMemory::new(), SpentInMemory::new()];
    for (number, stored) in stored.iter().enumerate() {
        let index = u32::try_from(number).unwrap();
        // The key itself is one of them.
        let own = DerivationPath::new((index > 0).then_some([0, index]).into_iter().flatten());
        let (own, another) = (own.unwrap(), DerivationPath::new([1, index]).unwrap());
        let (child, message) = (key.derivation(&own).unwrap(), index.to_be_bytes());
        let restored = |place: usize| Presignature::<V>::from_bytes(&stored[place]).unwrap();
        let (name, info) = (restored(0).id(), restored(0).info().clone());
        let mut shares = Vec::new();
        for place in 0..2 {
            let share = group.key_of(id(SIGNERS[place]));
            let claim =
                held[place].claim(&name, share, &own, MessageDigest::sha256(&message)).unwrap();
            assert!(*claim.verifying_key() == child.key);
            let receipt = claim.record().store(&mut spent[place]).unwrap();
            let on = receipt.record().digest;
            let released = claim.release(receipt).unwrap();
            assert_eq!(released.key_bytes(), child.key.as_bytes());
            shares.push((share.id(), released.to_bytes()));
            let again = held[place]
                .claim(&name, share, &another, MessageDigest::sha256(&message))
                .map(|_| ());
            assert_eq!(again, Err(ClaimError::Unknown));
            let again =
                restored(place).claim(share, &another, MessageDigest::sha256(&message)).unwrap();
            let refused = again.record().store(&mut spent[place]).unwrap_err();
            assert_eq!(refused, RecordError::Spent { id: name.name(), on });
        }
        let signature = info.aggregate(&child, MessageDigest::sha256(&message), shares).unwrap();
        verify(child.key.as_bytes(), &message, &signature);
    }
    assert!(held.iter().all(Presignatures::is_empty));
    assert!(spent.iter().all(|table| table.len() as u64 == size));
}

#[test]
fn a_thousand_children_verified_by_libsecp256k1() {
    one_pool::<C>(1000, |key, message, signature| {
        let key = secp256k1::PublicKey::from_slice(key).unwrap();
        let signature = secp256k1::ecdsa::Signature::from_compact(&signature.to_compact()).unwrap();
        let digest = *digest::<C>(message).as_bytes();
        let message = secp256k1::Message::from_digest(digest);
        secp256k1::ecdsa::verify(&signature, message, &key).unwrap();
    });
}

#[test]
fn children_over_p256() {
    one_pool::<P256>(5, |key, message, signature| P256::verify(key, message, signature));
}

/// A presignature that was made with the shares of an account serves the account's children, by paths from there.
#[test]
fn a_pool_of_an_account() {
    let mut group = Group::<C>::new(2);
    let whole = group.keys[0].public().derivation(&path("m/44/0/7")).unwrap();
    let root = group.keys[1].public().clone();
    let account = |key: &Arc<_>| -> Arc<KeyShare<C>> {
        Arc::new(KeyShare::derive(key, &path("m/44")).unwrap())
    };
    group.keys = group.keys.iter().map(account).collect();
    let made = group.presign(82, &SIGNERS);
    let info = made[0].info().clone();
    let shares = signature_shares_at(&group, made, &path("m/0/7"), b"message");
    let child = group.keys[0].public().derivation(&path("m/0/7")).unwrap();
    assert!(child.key == whole.key && child.tweak != whole.tweak);
    // The tweak is that from the account, and not that from the root.
    let wrong =
        info.aggregate(&whole, MessageDigest::sha256(b"message"), shares.clone()).unwrap_err();
    assert_eq!(wrong, AggregateError::NotAChild);
    let of_root = itself(&root);
    let wrong =
        info.aggregate(&of_root, MessageDigest::sha256(b"message"), shares.clone()).unwrap_err();
    assert_eq!(wrong, AggregateError::NotAChild);
    let signature = info.aggregate(&child, MessageDigest::sha256(b"message"), shares).unwrap();
    C::verify(child.key.as_bytes(), b"message", &signature);
}

/// Presignatures of a key serve its hardened children and their descendants, whose tweaks no `xpub` tells. A wrong share is named.
#[test]
fn hardened_children_sign_with_the_presignatures_of_their_parent() {
    let group = Group::<C>::new(2);
    let parent = group.keys[0].public();
    let tweak = C::scalar_from_wide(&[7; 64]);
    let shifted = |key: &PublicKeyPackage<C>| {
        let extra = KeyExtra { chain_code: [9; 32], rid: *key.rid() };
        key.shared().shift::<Ecdsa<C>>(&tweak, extra).unwrap()
    };
    let digest = MessageDigest::sha256(b"message");
    for (session, at) in [(86, "m"), (87, "m/0/7")] {
        let child = HardenedChild::new(&shifted(parent), &path(at)).unwrap();
        let own = parent.shift(&tweak, [9; 32]).unwrap().derivation(&path(at)).unwrap();
        assert!(*child.verifying_key() == own.key);
        let made = group.presign(session, &SIGNERS);
        let info = made[0].info().clone();
        let claimed = |one: Presignature<C>| {
            let key = group.key_of(one.party_id());
            release(one.claim_hardened(key, &child, digest).unwrap())
        };
        let mut shares: Vec<_> =
            made.into_iter().map(claimed).map(|share| (share.id(), share.to_bytes())).collect();
        let signature = info.aggregate(&child, digest, shares.clone()).unwrap();
        C::verify(own.key.as_bytes(), b"message", &signature);
        for (party, bytes) in &shares {
            info.verify_share(&child, digest, *party, bytes).unwrap();
        }
        // For the parent, nobody has signed.
        let error = info.aggregate(&group.itself(), digest, shares.clone()).unwrap_err();
        let all = SIGNERS.map(|number| (id(number), ShareMismatch::OtherKey)).to_vec();
        assert_eq!(error, AggregateError::Mismatch(all));
        // σ is before the digest of the form.
        let end = shares[1].1.len() - 32;
        shares[1].1[end - 1] ^= 1;
        shares[1].1 = resealed(&shares[1].1);
        let error = info.aggregate(&child, digest, shares).unwrap_err();
        assert_eq!(error, AggregateError::Cheaters(vec![(id(7), ShareFault::Equation)]));
    }
    // Children of another key, and of another epoch.
    let claim = |child: &HardenedChild<C>| {
        let one = group.presign(88, &SIGNERS).remove(0);
        one.claim_hardened(group.key_of(id(2)), child, digest).map(|_| ()).unwrap_err()
    };
    let other = keys::<C>(&NUMBERS, 3);
    let child = HardenedChild::new(&shifted(other[0].public()), &path("m")).unwrap();
    assert_eq!(claim(&child), ClaimError::Mismatch(Mismatch::WrongKey));
    let later = group.reshared(&NUMBERS, &NUMBERS, 2);
    let child = HardenedChild::new(&shifted(later.keys[0].public()), &path("m")).unwrap();
    let mismatch = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(claim(&child), ClaimError::Mismatch(mismatch));
    assert!(format!("{child:?}").ends_with(", .. }"));

    // Out of an inventory. A refused claim leaves the presignature there.
    let mut held = Presignatures::new(id(2));
    let made = group.presign(89, &SIGNERS).remove(0);
    let name = made.id();
    held.insert(made).unwrap();
    let key = group.key_of(id(2));
    let mut claim = |child: &HardenedChild<C>, digest| {
        held.claim_hardened(&name, key, child, digest).map(|claim| claim.record())
    };
    assert_eq!(claim(&child, digest), Err(ClaimError::Mismatch(mismatch)));
    let child = HardenedChild::new(&shifted(parent), &path("m")).unwrap();
    let zero = MessageDigest::hashed_with(b"", |_| [0; 32]);
    assert_eq!(claim(&child, zero), Err(ClaimError::ZeroDigest));
    assert_eq!(claim(&child, digest).unwrap().id, name.name());
    assert_eq!(claim(&child, digest), Err(ClaimError::Unknown));
}

/// Spending one presignature on two children gives this signer's share of the key away.
#[test]
fn two_children_give_the_share_away() {
    let group = Group::<C>::new(2);
    let made = group.presign(83, &SIGNERS);
    let info = made[0].info().clone();
    let paths = [path("m/0"), path("m/1")];
    let nonces = paths.each_ref().map(|path| {
        let child = group.keys[0].public().derivation(path).unwrap();
        nonce(&info, &child, b"message")
    });
    let (mut k, mut chi) = (Scalar::default(), Scalar::default());
    for one in made {
        let stored = one.to_bytes();
        let shares = paths.each_ref().map(|path| {
            let one = Presignature::<C>::from_bytes(&stored).unwrap();
            sigma(&release(
                one.claim(
                    group.key_of(one_party(&stored)),
                    path,
                    MessageDigest::sha256(b"message"),
                )
                .unwrap(),
            ))
        });
        let [its_k, its_chi] = solved(shares, nonces);
        (k, chi) = (k + its_k, chi + its_chi);
    }
    let x = chi * C::invert(&k);
    assert!(C::mul_base(&x) == *group.keys[0].verifying_key().point());
}

fn one_party(stored: &[u8]) -> PartyId {
    Presignature::<C>::from_bytes(stored).unwrap().party_id()
}

/// If a signer's share names another child or another message, nobody is to blame. If it claims to be the
/// share asked for, the signer is.
#[test]
fn a_share_for_another_child() {
    let (group, asked) = (Group::<C>::new(2), MessageDigest::sha256(b"message"));
    let made = group.presign(84, &SIGNERS);
    let info = made[0].info().clone();
    let stored = made[1].to_bytes();
    let honest = signature_shares_at(&group, made, &path("m/0"), b"message").remove(0);
    let key = group.keys[0].public();
    let (child, other) = (key.derivation(&path("m/0")), key.derivation(&path("m/1")));
    let (child, other) = (child.unwrap(), other.unwrap());
    let share = |at: &str, message: &[u8]| {
        let one = Presignature::<C>::from_bytes(&stored).unwrap();
        release(one.claim(group.key_of(id(7)), &path(at), MessageDigest::sha256(message)).unwrap())
    };
    let aggregate = |share: &[u8]| {
        let shares = [honest.clone(), (id(7), share.to_vec())];
        info.aggregate(&child, asked, shares)
    };
    C::verify(
        child.key.as_bytes(),
        b"message",
        &aggregate(&share("m/0", b"message").to_bytes()).unwrap(),
    );
    for (share, mismatch) in [
        (share("m/1", b"message"), ShareMismatch::OtherKey),
        (share("m", b"message"), ShareMismatch::OtherKey),
        (share("m/1", b"another"), ShareMismatch::OtherKey),
        (share("m/0", b"another"), ShareMismatch::OtherMessage),
    ] {
        let error = aggregate(&share.to_bytes()).unwrap_err();
        assert_eq!(error, AggregateError::Mismatch(vec![(id(7), mismatch)]));
        assert_eq!(error.culprits().count(), 0);
        let found = info.verify_share(&child, asked, id(7), &share.to_bytes()).map(|_| ());
        assert_eq!(found, Err(ShareRejected::Mismatch(mismatch)));
        // Under the right label: key and digest stand before σ and the digest of the form.
        let mut bytes = share.to_bytes();
        let at = bytes.len() - 32 - 32 - 32 - 33;
        bytes[at..at + 33].copy_from_slice(child.key.as_bytes());
        bytes[at + 33..at + 65].copy_from_slice(digest::<C>(b"message").as_bytes());
        let bytes = resealed(&bytes);
        assert!(SignatureShare::<C>::from_bytes(id(7), &bytes).is_ok());
        let error = aggregate(&bytes).unwrap_err();
        assert_eq!(error, AggregateError::Cheaters(vec![(id(7), ShareFault::Equation)]));
        let found = info.verify_share(&child, asked, id(7), &bytes).map(|_| ());
        assert_eq!(found, Err(ShareRejected::Fault(ShareFault::Equation)));
    }
    // An aggregation under a tweak that is not the key's fails before any party is blamed.
    let mixed = Derived { tweak: other.tweak, ..child };
    let right = share("m/0", b"message").to_bytes();
    let error = info.aggregate(&mixed, asked, [honest.clone(), (id(7), right.clone())]);
    assert_eq!(error.unwrap_err(), AggregateError::NotAChild);
    let error = info.verify_share(&mixed, asked, id(7), &right).map(|_| ());
    assert_eq!(error, Err(ShareRejected::NotAChild));
    // For the other child, no share is the one asked for.
    let error = info.aggregate(&other, asked, [honest, (id(7), right)]).unwrap_err();
    let all = SIGNERS.map(|number| (id(number), ShareMismatch::OtherKey)).to_vec();
    assert_eq!(error, AggregateError::Mismatch(all));
}

/// The record covers the child: restored, a presignature is claimed again for the same child and
/// message, and for nothing else.
#[test]
fn the_record_names_the_child() {
    let group = Group::<C>::new(2);
    let stored = group.presign(85, &SIGNERS).remove(0).to_bytes();
    let claim = |at: &str, message: &[u8]| {
        let one = Presignature::<C>::from_bytes(&stored).unwrap();
        one.claim(group.key_of(id(2)), &path(at), MessageDigest::sha256(message)).unwrap()
    };
    let mut table = SpentInMemory::new();
    let first = claim("m/0/7", b"message");
    let on = first.record().digest;
    let receipt = first.record().store(&mut table).unwrap();
    let share = first.release(receipt).unwrap();
    for (at, message) in
        [("m", b"message"), ("m/0", b"message"), ("m/7/0", b"message"), ("m/0/7", b"another")]
    {
        let other = claim(at, message);
        let refused = other.record().store(&mut table).unwrap_err();
        assert!(matches!(refused, RecordError::Spent { on: found, .. } if found == on));
        // The receipt of the first does not release it.
        let receipt = claim("m/0/7", b"message").record().store(&mut table).unwrap();
        assert_eq!(other.release(receipt), Err(ClaimError::OtherReceipt));
    }
    let again = claim("m/0/7", b"message");
    let receipt = again.record().store(&mut table).unwrap();
    assert!(again.release(receipt).unwrap() == share);
}

/// A path that leads nowhere costs no presignature of an inventory.
#[test]
fn a_refused_claim_stays() {
    let group = Group::<C>::new(2);
    let mut held = Presignatures::new(id(2));
    held.insert(group.presign(86, &SIGNERS).remove(0)).unwrap();
    let name = held.ids().next().unwrap();
    let refused = held
        .claim(&name, group.key_of(id(7)), &path("m/0"), MessageDigest::sha256(b"message"))
        .map(|_| ());
    assert_eq!(refused, Err(ClaimError::OtherParty));
    assert_eq!(held.len(), 1);
    assert_eq!("m/0'".parse::<DerivationPath>().unwrap_err(), DeriveError::Hardened);
}
