//! Texts of errors: they name what was expected, what came, and what to do.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, ClaimError, CombineError, DecodeError, KeyInfo, KeyShare, P256, PartialSignature,
    Secp256k1, Signature, whole_key,
};
use quorate_paillier::Level;
use quorate_session::{Parties, PartyId};

fn share() -> KeyShare<Secp256k1> {
    let mut rng = quorate_testkit::rng(1);
    let secret = quorate_cggmp::curves::random_nonzero_scalar::<Secp256k1>(&mut rng).unwrap();
    let parties = Parties::numbered(3).unwrap();
    let secret = quorate_cggmp::curves::Secret::new(secret);
    whole_key::deal(&secret, None, 2, &parties, &mut rng).unwrap().remove(0)
}

#[test]
fn wrong_files_are_told_apart() {
    let bytes = share().to_bytes();
    let text = |error: DecodeError| error.to_string();
    let info = KeyInfo::<Secp256k1>::from_bytes(&bytes).unwrap_err();
    assert_eq!(text(info), "expected the public side of a key, got a key share");
    let curve = KeyShare::<P256>::from_bytes(&bytes).unwrap_err();
    assert_eq!(text(curve), "expected an object for P-256, got one for secp256k1");
    let aux = AuxInfo::from_bytes(&Engine::detect(), Level::Bits128, &bytes).map(|_| ());
    assert_eq!(text(aux.unwrap_err()), "expected auxiliary information, got a key share");
    let partial = PartialSignature::<Secp256k1>::from_bytes(&bytes).map(|_| ()).unwrap_err();
    assert_eq!(text(partial), "expected a share of a signature, got a key share");
    let mut later = bytes.to_vec();
    *later.first_mut().unwrap() = 7;
    let later = KeyShare::<Secp256k1>::from_bytes(&later).unwrap_err();
    assert!(text(later).starts_with("format version 7, this release reads 1"), "{later}");
    let mut damaged = bytes.to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    let damaged = KeyShare::<Secp256k1>::from_bytes(&damaged).unwrap_err();
    assert!(text(damaged).ends_with("take another copy"), "{damaged}");
}

#[test]
fn numbers_are_told_with_what_was_expected() {
    let party = |number| PartyId::new(number).unwrap();
    let cases = [
        (DecodeError::BadIdentifier(0).to_string(), "got party 0, parties are numbered from 1"),
        (DecodeError::BadIdentifier(9).to_string(), "party 9 is not one of the key's parties"),
        (DecodeError::BadParties { got: 129 }.to_string(), "got 129 parties, expected 2 to 128"),
        (
            DecodeError::BadThreshold { threshold: 5, parties: 3 }.to_string(),
            "got a threshold of 5 among 3 parties, expected 2 to 3",
        ),
        (DecodeError::BadRecoveryId(9).to_string(), "got recovery id 9, expected 0 to 3"),
        (
            CombineError::Missing(vec![party(2), party(40)]).to_string(),
            "no share yet from party 2, party 40",
        ),
        (
            ClaimError::OtherEpoch { made: 3, now: 4 }.to_string(),
            "the presignature was made in epoch 3, the key is in epoch 4: drop it, and presign again",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(text, expected);
    }
    let error = Signature::<Secp256k1>::from_der(&[0x31, 0]).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "not in DER: expected a SEQUENCE of two INTEGERs");
}
