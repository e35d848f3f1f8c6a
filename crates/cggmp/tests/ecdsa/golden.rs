//! Bytes that version 1 wrote, which open for ever: see [`quorate_testkit::golden`].

use quorate_cggmp::{
    AuxInfo, AuxPublic, AuxSearch, AuxSecrets, EcdsaCurve, Evidence, KeyShare, MessageDigest, P256,
    Presignature, PresignatureInfo, Presignatures, PublicKeyPackage, Secp256k1, SignatureShare,
};
use quorate_session::stock::Counters;
use quorate_session::{Continuity, Record, SealKey};

use crate::support::*;

const MESSAGE: &[u8] = b"golden";

fn file(object: &str, make: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    file_of(1, object, make)
}

fn file_of(version: u8, object: &str, make: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    quorate_testkit::golden::file_of(version, env!("CARGO_MANIFEST_DIR"), object, make)
}

/// Party 2 opens its stored forms, and signs with the messages of party 7.
fn presignatures<C: EcdsaCurve>() {
    let file = |object: &str, make: &dyn Fn() -> Vec<u8>| {
        file(&format!("{}-{object}", C::NAME.to_lowercase()), make)
    };
    let seal = SealKey::new([9; 32]);
    let signers = parties([2, 7]);
    // Made only where a file is missing.
    let group = || Group::<C>::at(REAL, 2);
    let made = |place: usize| group().presign(90, &[2, 7]).remove(place);
    let stock = |place: usize| {
        let mut stock = Presignatures::new(id([2, 7][place]));
        stock.insert(made(place)).unwrap();
        stock
    };
    let bytes = file("key-info", &|| group().keys[0].public().to_bytes());
    let key = PublicKeyPackage::<C>::from_bytes(&bytes).unwrap();
    assert_eq!(key.to_bytes(), bytes);
    let bytes = file("key-share-2", &|| group().keys[0].to_bytes().to_vec());
    let share = KeyShare::<C>::from_bytes(&bytes, &key).unwrap();
    let bytes = file("presignature", &|| made(0).to_bytes().to_vec());
    let one = Presignature::<C>::from_bytes(&bytes).unwrap();
    assert_eq!((*one.to_bytes() == bytes, one.party_id(), one.id().index()), (true, id(2), 0));
    let record = <Presignature<C> as Record>::from_bytes(&Record::to_bytes(&one)).unwrap();
    assert!(*record.to_bytes() == bytes);
    let bytes = file("presignature-sealed", &|| made(0).seal(&seal));
    let again = Presignature::<C>::open(&bytes, &seal).unwrap();
    assert!(*again.to_bytes() == *one.to_bytes());
    let bytes = file("presignature-info", &|| made(0).info().to_bytes());
    let info = PresignatureInfo::<C>::from_bytes(&bytes).unwrap();
    assert!(info == *one.info() && info.to_bytes() == bytes);
    let bytes = file("inventory-sealed", &|| stock(0).seal(&seal));
    let mut held = Presignatures::<C>::open(&bytes, &seal, Continuity::StayedUp).unwrap();
    // Version 2 lists the presignatures that are used or dropped; here there are none.
    let inventory = |state: &str| format!("{}-inventory-{state}", C::NAME.to_lowercase());
    let bytes = file_of(2, &inventory("sealed"), || held.seal(&seal));
    assert_eq!((held.seal(&seal) == bytes, held.left(&key, &signers)), (true, 1));
    assert_eq!(held.counters(), Counters { made: 1, ..Counters::default() });
    let list = file("list-7", &|| stock(1).list(&signers));
    let common = held.intersect(&signers, [(id(7), list)]).unwrap();
    assert!(common.iter().eq([one.id()]));
    let sent = file("partial-7", &|| {
        let claim = made(1)
            .claim(group().key_of(id(7)), &no_path(), MessageDigest::sha256(MESSAGE))
            .unwrap();
        release(claim).to_bytes()
    });
    let read = SignatureShare::<C>::from_bytes(id(7), &sent).unwrap();
    assert_eq!((read.to_bytes() == sent, read.presignature()), (true, one.id()));
    let own =
        release(held.claim(&one.id(), &share, &no_path(), MessageDigest::sha256(MESSAGE)).unwrap());
    let bytes = file_of(2, &inventory("used"), || held.seal(&seal));
    let mut used = Presignatures::<C>::open(&bytes, &seal, Continuity::StayedUp).unwrap();
    assert_eq!((used.seal(&seal) == bytes, used.insert(one), used.len()), (true, Ok(()), 0));
    let shares = [(id(2), own.to_bytes()), (id(7), sent)];
    let signature = info.aggregate(&itself(&key), MessageDigest::sha256(MESSAGE), shares).unwrap();
    key.verifying_key().verify(MESSAGE, &signature).unwrap();
}

#[test]
fn version_1_opens_for_ever() {
    presignatures::<Secp256k1>();
    presignatures::<P256>();
    let bytes = file("aux-info", || aux_at(REAL, &NUMBERS)[0].to_bytes().to_vec());
    let info = AuxInfo::from_bytes(REAL, &bytes).unwrap();
    assert_eq!((*info.to_bytes() == bytes, info.id()), (true, id(2)));
    let bytes = file("aux-public", || aux_at(REAL, &NUMBERS)[0].public().to_bytes());
    let public = AuxPublic::from_bytes(REAL, &bytes).unwrap();
    assert_eq!((public.to_bytes() == bytes, public.digest()), (true, info.digest()));
    let search = || AuxSecrets::generate(REAL, &mut seeded(5)).unwrap();
    let bytes = file("aux-search", || search().save().to_vec());
    assert!(*AuxSearch::resume(REAL, &bytes).unwrap().save() == bytes);
    let frames = vec![(id(7), vec![9; 50]), (id(2), vec![8; 20])];
    let shown = quorate_session::Evidence::new([1; 32], frames);
    let evidence = Evidence::new(id(7), shown).unwrap();
    let bytes = file("evidence", || evidence.to_bytes());
    assert!(Evidence::from_bytes(&bytes) == Ok(evidence));
}
