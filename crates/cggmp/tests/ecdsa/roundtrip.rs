//! Every result of a protocol can be stored and read again, and is the same: over random
//! parties, thresholds and seeds.

use chacha20::rand_core::Rng;
use quorate_cggmp::{
    AuxInfo, AuxPublic, DecodeError, DerivationPath, EcdsaCurve, Evidence, KeyShare, Keygen,
    KeygenParams, P256, Presignature, PresignatureInfo, Presignatures, PublicKeyPackage, Secp256k1,
    ShareState, Signature, SignatureShare, VerifyingKey,
};
use quorate_session::sim::Network;
use quorate_session::{Abort, Continuity, Parties, PartyId, SealKey};

use crate::support::*;

/// Reads a stored form, and stores it again.
fn same<T>(
    bytes: impl AsRef<[u8]>,
    read: impl Fn(&[u8]) -> Result<T, DecodeError>,
    store: impl Fn(&T) -> Vec<u8>,
) -> T {
    let bytes = bytes.as_ref();
    let again = read(bytes).unwrap();
    assert!(store(&again) == bytes);
    again
}

/// Random identifiers, 2 to 7 of them, and a threshold.
fn group(rng: &mut impl Rng) -> (Parties, u16) {
    let mut below = |bound: u32| ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32;
    let count = 2 + below(6) as usize;
    let mut numbers = std::collections::BTreeSet::new();
    while numbers.len() < count {
        numbers.insert(1 + below(u32::from(u16::MAX)) as u16);
    }
    let threshold = 2 + below(count as u32 - 1) as u16;
    (Parties::new(numbers.into_iter().map(id)).unwrap(), threshold)
}

fn keys<C: EcdsaCurve>(seed: u8) {
    let (parties, threshold) = group(&mut seeded(seed));
    let params = |_| KeygenParams::new(threshold);
    let report = Network::new(seed.into()).run::<Keygen<C>>(sid(seed), &parties, params).unwrap();
    let path: DerivationPath = "m/44/0/7".parse().unwrap();
    for share in all(report).into_values() {
        for share in [share.derive(&path).unwrap(), share] {
            let read = |bytes: &[u8]| KeyShare::<C>::from_bytes(bytes, share.public());
            let again = same(share.to_bytes(), read, |one| one.to_bytes().to_vec());
            assert_eq!((again.id(), again.state()), (share.id(), ShareState::Ready));
            assert!(again.public() == share.public());
            let info = same(
                share.public().to_bytes(),
                PublicKeyPackage::<C>::from_bytes,
                PublicKeyPackage::to_bytes,
            );
            assert!(info == *share.public());
            let key = share.verifying_key();
            assert!(VerifyingKey::<C>::from_bytes(key.as_bytes()).unwrap() == *key);
        }
    }
}

#[test]
fn key_shares_are_read_as_they_were_written() {
    (0..12).for_each(keys::<Secp256k1>);
    (12..20).for_each(keys::<P256>);
}

/// Results that lack a confirmation are read again as such.
#[test]
fn unconfirmed_key_shares() {
    for seed in 30..36 {
        let (parties, threshold) = group(&mut seeded(seed));
        let silent = parties.iter().next().unwrap();
        let network = Network::new(seed.into()).tamper(|delivery| {
            let hidden = delivery.from == silent && delivery.round.get() == 4;
            if hidden { vec![] } else { vec![delivery] }
        });
        let params = |_| KeygenParams::new(threshold);
        let report = network.run::<Keygen<Secp256k1>>(sid(seed), &parties, params).unwrap();
        assert_eq!(report.unconfirmed.len(), parties.len() - 1);
        for share in report.unconfirmed.into_values() {
            let read = |bytes: &[u8]| KeyShare::<Secp256k1>::from_bytes(bytes, share.public());
            let again = same(share.to_bytes(), read, |one| one.to_bytes().to_vec());
            assert_eq!(again.state(), ShareState::Unconfirmed);
        }
    }
}

#[test]
fn aux_information_is_read_as_it_was_written() {
    for info in aux(&NUMBERS) {
        let read = |bytes: &[u8]| AuxInfo::from_bytes(FAST, bytes);
        let again = same(info.to_bytes(), read, |one| one.to_bytes().to_vec());
        assert!(again.is_confirmed() && again.digest() == info.digest());
        let read = |bytes: &[u8]| AuxPublic::from_bytes(FAST, bytes);
        let public = same(info.public().to_bytes(), read, AuxPublic::to_bytes);
        assert_eq!(public.digest(), info.digest());
    }
}

fn signing<C: EcdsaCurve>(signers: &[u16]) {
    let group = Group::<C>::new(2);
    let made = group.presign(70, signers);
    let key = SealKey::new([9; 32]);
    for one in &made {
        let bytes = one.to_bytes();
        let again = same(&bytes, Presignature::<C>::from_bytes, |one| one.to_bytes().to_vec());
        assert!(again.info() == one.info());
        let info = one.info().to_bytes();
        let info = same(info, PresignatureInfo::<C>::from_bytes, PresignatureInfo::to_bytes);
        assert!(info == *one.info());
        let mut inventory = Presignatures::<C>::new(one.party_id());
        inventory.insert(again).unwrap();
        let inventory =
            Presignatures::<C>::open(&inventory.seal(&key), &key, Continuity::StayedUp).unwrap();
        assert!(inventory.ids().eq([one.id()]));
        assert!(inventory.info(&one.id()) == Some(one.info()));
    }
    for (party, share) in signature_shares(&group, made, b"message") {
        let read = |bytes: &[u8]| SignatureShare::<C>::from_bytes(party, bytes);
        let again = same(share, read, SignatureShare::to_bytes);
        assert_eq!(again.id(), party);
    }
    for signature in group.sign(71, signers, b"message") {
        let read = |bytes: &[u8]| Signature::<C>::from_der(bytes);
        let again = same(signature.to_der(), read, Signature::to_der);
        assert!(again.to_compact() == signature.to_compact());
        let recoverable = signature.to_recoverable().unwrap();
        assert!(Signature::<C>::from_recoverable(&recoverable).unwrap() == signature);
    }
}

#[test]
fn presignatures_and_shares_of_signatures() {
    signing::<Secp256k1>(&[2, 7]);
    signing::<P256>(&NUMBERS);
}

/// Evidence of every kind of frame.
#[test]
fn evidence_of_every_frame_is_read_as_it_was_written() {
    let parties = parties(NUMBERS);
    for round in 1..=4u8 {
        let network = Network::new(1).tamper(|mut delivery| {
            if delivery.from == id(7) && delivery.round.get() == round {
                delivery.bytes.pop();
            }
            vec![delivery]
        });
        let params = |_| KeygenParams::<Secp256k1>::new(2);
        let report = network.run::<Keygen<_>>(sid(3), &parties, params).unwrap();
        for (party, result) in report.results.into_iter().filter(|(party, _)| *party != id(7)) {
            let Err(Abort::Misbehaviour(blames)) = result else { panic!("{party}: {round}") };
            for blame in &blames {
                let evidence = Evidence::from_blame(blame).unwrap();
                let again = same(evidence.to_bytes(), Evidence::from_bytes, Evidence::to_bytes);
                assert_eq!(again, evidence);
                assert_eq!(PartyId::new(again.culprit().get()), Some(id(7)));
            }
        }
    }
}
