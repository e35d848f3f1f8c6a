//! Decoders: no panic, no great allocation, and what is accepted encodes to the same bytes.

use std::fmt::Debug;

use quorate_frost::dkg::parts::{Announcement, part1, part2};
use quorate_frost::keys::Family as _;
use quorate_frost::session::container::{HEADER, Kind, SEALED, without_digest};
use quorate_frost::session::{Continuity, PartyId, SealKey, SpentInMemory};
use quorate_frost::{
    AggregateError, Commitments, DealtShare, Frost, KeyShare, NonceBatch, PackageError,
    PublicKeyPackage, PublishedNonces, ShareState, Signature, SignatureShare, SigningPackage,
    VerifyingKey,
};

use crate::fixture::{KEY, MESSAGE, Suite, THRESHOLD, id, rng};

/// The kind of sealed batches of nonces.
pub(crate) const BATCH: Kind =
    Kind { code: 7 | SEALED, name: "a sealed batch of nonces", version: 1 };
/// The context of the announcements that are made here.
pub(crate) const CONTEXT: [u8; 32] = [3; 32];

/// Decodes, and if that succeeds, checks that the encoding gives the same bytes.
pub(crate) fn strict<T, E: Debug>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<T, E>,
    encode: impl Fn(&T) -> Vec<u8>,
) -> Option<T> {
    let decoded = decode(bytes).ok()?;
    assert_eq!(encode(&decoded), bytes, "accepted, but not canonical");
    Some(decoded)
}

/// An even first byte: the rest is a stored form whose length and digest are made to fit. An odd one: it is the
/// form.
fn digested<S: Suite>(data: &[u8]) -> Option<Vec<u8>> {
    let (mode, rest) = data.split_first()?;
    if mode & 1 == 1 {
        return Some(rest.to_vec());
    }
    let mut form = without_digest(rest)?.to_vec();
    Frost::<S>::label(BATCH).end(&mut form);
    Some(form)
}

pub(crate) fn key_share<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let fixture = S::fixture();
    let encode = |share: &KeyShare<S>| share.to_bytes().to_vec();
    let open = |bytes: &[u8]| KeyShare::<S>::from_bytes(bytes, &fixture.public);
    let Some(share) = strict(&data, open, encode) else { return false };
    assert!(share.parties().contains(share.id()));
    assert!(usize::from(share.threshold()) <= share.parties().len());
    let (nonces, commitments) = share.commit(&mut rng(1));
    assert!(share.package_id() == fixture.public.package_id());
    let other = fixture.commitments.iter().find(|other| other.id() != share.id());
    let both = [commitments, *other.expect("two signers")];
    let package = SigningPackage::new(&fixture.public, both, MESSAGE).expect("of this key");
    let signed = share.sign(&package, nonces);
    assert_eq!(signed.is_ok(), share.state() != ShareState::Unconfirmed);
    true
}

pub(crate) fn public_key_package<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let encode = PublicKeyPackage::<S>::to_bytes;
    let Some(public) = strict(&data, PublicKeyPackage::<S>::from_bytes, encode) else {
        return false;
    };
    assert!(public.threshold() >= 2 && usize::from(public.threshold()) <= public.parties().len());
    assert!(public.parties().iter().all(|id| public.verifying_share(id).is_some()));
    let fixture = S::fixture();
    if public.verifying_key() != fixture.public.verifying_key() {
        assert!(public.verifying_key().verify(MESSAGE, &fixture.signature).is_err());
    }
    true
}

pub(crate) fn dealt_share<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let encode = |share: &DealtShare<S>| share.to_bytes().to_vec();
    let Some(dealt) = strict(&data, DealtShare::<S>::from_bytes, encode) else { return false };
    let id = dealt.id();
    let fixture = S::fixture();
    let Ok(share) = dealt.accept(THRESHOLD, &fixture.public) else { return false };
    assert_eq!(share.id(), id);
    assert_eq!(share.package_id(), fixture.public.package_id());
    let stored = share.to_bytes();
    assert!(
        KeyShare::<S>::from_bytes(&stored, &fixture.public).is_ok(),
        "accepted, but cannot be stored"
    );
    true
}

pub(crate) fn commitments<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let data = &data[..];
    let encode = Commitments::<S>::to_bytes;
    let read = |bytes: &[u8]| Commitments::<S>::from_bytes(named(bytes), bytes);
    let Some(one) = strict(data, read, encode) else { return false };
    let other = id(one.id().get().wrapping_add(1).max(1));
    assert!(Commitments::<S>::from_bytes(other, data).is_err(), "in another's name");
    let (hiding, binding) = (one.hiding().as_ref(), one.binding().as_ref());
    let again = Commitments::<S>::from_parts(one.id(), one.package_id(), hiding, binding);
    assert!(again == Ok(one));
    true
}

pub(crate) fn published_nonces<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let data = &data[..];
    let encode = PublishedNonces::<S>::to_bytes;
    let read = |bytes: &[u8]| PublishedNonces::<S>::from_bytes(named(bytes), bytes);
    let Some(mut all) = strict(data, read, encode) else { return false };
    let other = id(all.id().get().wrapping_add(1).max(1));
    assert!(PublishedNonces::<S>::from_bytes(other, data).is_err(), "in another's name");
    let slots: Vec<u32> = all.slots().iter().collect();
    for slot in slots {
        let one = all.take(slot).expect("a slot that is left");
        assert_eq!((one.id(), one.package_id()), (all.id(), all.package_id()));
    }
    assert!(all.slots().is_empty());
    true
}

pub(crate) fn signing_package<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let data = &data[..];
    let encode = SigningPackage::<S>::to_bytes;
    let Some(package) = strict(data, SigningPackage::<S>::from_bytes, encode) else {
        return false;
    };
    let fixture = S::fixture();
    let each = package.signers().iter().rev().filter_map(|id| package.commitments_of(*id));
    match SigningPackage::new(&fixture.public, each, package.message()) {
        Ok(again) => assert!(again == package),
        Err(PackageError::Mismatch { .. }) => {
            assert!(package.package_id() != fixture.public.package_id());
        }
        Err(PackageError::UnknownParty(id)) => assert!(id.get() > 3),
        Err(PackageError::TooFewSigners { got, .. }) => assert!(got < usize::from(THRESHOLD)),
        Err(error) => panic!("{error}"),
    }
    let signs = fixture.public.aggregate(&package, &fixture.signature_shares).is_ok();
    assert_eq!(signs, package == fixture.package, "shares verify for another package");
    let (nonces, _) = fixture.shares[2].commit(&mut rng(2));
    assert!(fixture.shares[2].sign(&package, nonces).is_err(), "signed with other nonces");
    true
}

pub(crate) fn signature_share<S: Suite>(data: &[u8]) -> bool {
    let Some(data) = digested::<S>(data) else { return false };
    let data = &data[..];
    let encode = SignatureShare::<S>::to_bytes;
    let read = |bytes: &[u8]| SignatureShare::<S>::from_bytes(named(bytes), bytes);
    let Some(share) = strict(data, read, encode) else { return false };
    let fixture = S::fixture();
    let again = SignatureShare::from_parts(share.id(), &fixture.package, share.scalar().as_ref());
    let of_this = share.package_id() == fixture.public.package_id();
    let for_this = share.package_digest() == fixture.package.digest(None);
    assert_eq!(again == Ok(share), of_this && for_this);
    let expected = if !of_this {
        let why =
            share.package_id().check_belongs_to(&fixture.public.package_id()).expect_err("other");
        Err(AggregateError::Mismatch { party: Some(share.id()), why })
    } else if !for_this {
        Err(AggregateError::OtherPackage(share.id()))
    } else if fixture.signature_shares.contains(&share) {
        Ok(())
    } else if fixture.package.signers().contains(&share.id()) {
        Err(AggregateError::Cheaters(vec![share.id()]))
    } else {
        Err(AggregateError::UnexpectedShare(share.id()))
    };
    assert_eq!(fixture.public.verify_share(&fixture.package, &share), expected);
    true
}

pub(crate) fn signature<S: Suite>(data: &[u8]) -> bool {
    let encode = |signature: &Signature<S>| signature.to_bytes().as_ref().to_vec();
    let Some(signature) = strict(data, Signature::<S>::from_bytes, encode) else { return false };
    let fixture = S::fixture();
    let verifies = fixture.public.verifying_key().verify(MESSAGE, &signature).is_ok();
    assert_eq!(verifies, signature == fixture.signature, "malleable");
    true
}

pub(crate) fn verifying_key<S: Suite>(data: &[u8]) -> bool {
    let Ok(key) = VerifyingKey::<S>::from_bytes(data) else { return false };
    // A suite with even keys takes the other sign for the same key, as BIP-340 has it.
    let mut canonical = data.to_vec();
    if let (true, Some(tag @ 3)) = (S::EVEN_Y, canonical.first_mut()) {
        *tag = 2;
    }
    assert_eq!(key.as_bytes().as_ref(), canonical, "accepted, but not canonical");
    let fixture = S::fixture();
    let verifies = key.verify(MESSAGE, &fixture.signature).is_ok();
    assert_eq!(verifies, key == *fixture.public.verifying_key());
    true
}

/// An even first byte: the rest is the content of a sealed batch. An odd one: it is the seal.
pub(crate) fn nonce_batch<S: Suite>(data: &[u8]) -> bool {
    let key = SealKey::new(KEY);
    let Some((mode, rest)) = data.split_first() else { return false };
    if mode & 1 == 1 {
        let Ok(batch) = NonceBatch::<S>::open(rest, &key, Continuity::StayedUp) else {
            return false;
        };
        assert_eq!(batch.seal(&key), rest, "opened, but not canonical");
        return true;
    }
    let sealed = Frost::<S>::label(BATCH).seal(&key, rest);
    let Ok(mut batch) = NonceBatch::<S>::open(&sealed, &key, Continuity::StayedUp) else {
        return false;
    };
    assert!(batch.seal(&key) == sealed, "opened, but not canonical");
    let generation = batch.generation();
    let ids: Vec<_> = batch.ids().collect();
    assert!(batch.commitments().map(|one| one.nonce_id()).eq(ids.iter().copied()));
    let (package, shares) = (&S::fixture().package, &S::fixture().shares);
    let own = shares.iter().find(|share| share.id() == batch.id()).unwrap_or(&shares[0]);
    let claim = batch.claim_for(own, package);
    if claim.is_err() {
        assert_eq!((batch.generation(), batch.len()), (generation, ids.len()), "refused and taken");
    }
    if let Ok(claim) = claim {
        let record = claim.record();
        assert!(ids.contains(&claim.id()) && record.digest == package.digest(None));
        let receipt = record.store(&mut SpentInMemory::new()).expect("a table of its own");
        let id = claim.id();
        assert_eq!(claim.release(receipt).expect("its own receipt").id(), id);
        assert!(batch.claim_for(own, package).is_err() && !batch.discard(&id), "claimed twice");
        assert!(batch.generation() > generation || generation == u64::MAX);
    }
    ids.iter().for_each(|id| {
        batch.discard(id);
    });
    assert!(batch.is_empty());
    true
}

/// The party that a message of a signer names, or any.
pub(crate) fn named(bytes: &[u8]) -> PartyId {
    let number = bytes.get(HEADER..HEADER + 2).map_or(1, |at| u16::from_be_bytes([at[0], at[1]]));
    id(number.max(1))
}

/// The first byte is the threshold, as far as it is small.
pub(crate) fn dkg_announcement<S: Suite>(data: &[u8]) -> bool {
    let Some((threshold, rest)) = data.split_first() else { return false };
    let threshold = usize::from(threshold % 16);
    let decode = |bytes: &[u8]| Announcement::<S>::from_bytes(bytes, threshold);
    let Some(one) = strict(rest, decode, Announcement::<S>::to_bytes) else { return false };
    let (polynomial, honest) =
        part1::<S>(id(1), THRESHOLD, &CONTEXT, &mut rng(3)).expect("a generator that works");
    // The proof is about the constant; the other coefficients are for the shares to prove.
    let point = S::fixture().public.verifying_key().as_bytes().as_ref().len();
    let honest = honest.to_bytes();
    let (constant, rest_of_honest) = honest.split_at(point);
    let (_, proof) = rest_of_honest.split_at(point);
    let is_honest = rest.starts_with(constant) && rest.ends_with(proof);
    let verified = part2(&polynomial, &CONTEXT, &[(id(1), one)], &[id(2)]);
    match verified {
        Ok(_) => assert!(is_honest, "a proof without the secret"),
        Err(culprits) => assert!(!is_honest && culprits == [id(1)]),
    }
    true
}
