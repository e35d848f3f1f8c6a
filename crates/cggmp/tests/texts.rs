//! Texts of errors: they name what was expected, what came, and what to do.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use quorate_cggmp::{
    AggregateError, AuxInfo, ClaimError, DecodeError, Ecdsa, KeyShare, Mismatch, P256,
    PublicKeyPackage, Secp256k1, Signature, SignatureShare, single_point_of_failure,
};
use quorate_paillier::Level;
use quorate_session::{Parties, PartyId};

fn share() -> KeyShare<Secp256k1> {
    let mut rng = quorate_testkit::rng(1);
    let secret = quorate_cggmp::curves::random_nonzero_scalar::<Secp256k1>(&mut rng).unwrap();
    let parties = Parties::numbered(3).unwrap();
    let secret = quorate_cggmp::curves::Secret::new(secret);
    single_point_of_failure::import(secret, None, 2, &parties, &mut rng).unwrap().remove(0)
}

#[test]
fn wrong_files_are_told_apart() {
    type P256Share = quorate_cggmp::keys::SecretShare<Ecdsa<P256>>;
    let share = share();
    let bytes = share.to_bytes();
    let text = |error: DecodeError| error.to_string();
    let info = PublicKeyPackage::<Secp256k1>::from_bytes(&bytes).unwrap_err();
    assert_eq!(text(info), "expected the public side of a key, got an object of kind 65");
    let curve = P256Share::from_bytes(&bytes).unwrap_err();
    assert_eq!(text(curve.into()), "expected an object over P-256, got one over secp256k1");
    let aux = AuxInfo::from_bytes(Level::Bits128, &bytes).map(|_| ());
    assert!(
        text(aux.unwrap_err())
            .starts_with("expected auxiliary information, got an object of kind 65")
    );
    let sent = SignatureShare::<Secp256k1>::from_bytes(share.id(), &bytes).map(|_| ()).unwrap_err();
    assert!(text(sent).starts_with("expected a share of a signature, got an object of kind 65"));
    let mut later = bytes.to_vec();
    later[4] = 7;
    let later = KeyShare::<Secp256k1>::from_bytes(&later, share.public()).unwrap_err();
    assert!(text(later).starts_with("stored in format version 7 by a later release"), "{later}");
    let mut damaged = bytes.to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    let damaged = KeyShare::<Secp256k1>::from_bytes(&damaged, share.public()).unwrap_err();
    assert_eq!(text(damaged), "the bytes were altered after they were stored");
    let mut sent = vec![1, 37, 5];
    sent.resize(80, 0);
    let sent = SignatureShare::<Secp256k1>::from_bytes(share.id(), &sent).map(|_| ()).unwrap_err();
    assert!(text(sent).starts_with("expected something stored by this library"), "{sent}");
}

#[test]
fn numbers_are_told_with_what_was_expected() {
    let party = |number| PartyId::new(number).unwrap();
    let cases = [
        (DecodeError::BadIdentifier(0).to_string(), "got party 0, parties are numbered from 1"),
        (DecodeError::BadIdentifier(9).to_string(), "party 9 is not one of the key's parties"),
        (DecodeError::BadParties { got: 129 }.to_string(), "got 129 parties, expected 2 to 128"),
        (DecodeError::BadRecoveryId(9).to_string(), "got recovery id 9, expected 0 to 3"),
        (
            AggregateError::Missing(vec![party(2), party(40)]).to_string(),
            "no share yet from party 2, party 40",
        ),
        (
            ClaimError::Mismatch(Mismatch::WrongEpoch { expected: 4, got: 3 }).to_string(),
            "the presignature does not fit the share: it belongs to epoch 3 of the key, expected epoch 4; \
             drop it once the key is past its epoch",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(text, expected);
    }
    let error = Signature::<Secp256k1>::from_der(&[0x31, 0]).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "not in DER: expected a SEQUENCE of two INTEGERs");
}
