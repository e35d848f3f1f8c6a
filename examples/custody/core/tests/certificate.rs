//! Certificates of keys, which all members have to sign.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use custody_core::{
    Certificate, CertificateError, KeyId, KeySpec, Root, Scheme, SignedCertificate, SpecError,
    WireError,
};
use quorate::PartyId;
use quorate_envelope::{Directory, Identity, Member, Name};

fn identity(number: u8) -> Identity {
    Identity::from_seed(Name::new(&format!("n{number}")).unwrap(), &[number; 32])
}

fn directory(deployment: &str) -> Directory {
    (1..=3)
        .fold(Directory::first(Name::new(deployment).unwrap()), |draft, number| {
            let identity = identity(number);
            let member = Member::new(identity.name().clone(), identity.public().clone());
            draft.member(member.with_party(party(number)))
        })
        .finish()
        .unwrap()
}

fn party(number: u8) -> PartyId {
    PartyId::new(number.into()).unwrap()
}

fn certificate() -> Certificate {
    let spec = KeySpec {
        scheme: Scheme::Ed25519,
        threshold: 2,
        members: [1, 2, 3].map(party).to_vec(),
        purposes: vec![],
        scope: String::new(),
        labels: [].into(),
    };
    Certificate {
        key: KeyId::of(Scheme::Ed25519, &[9; 32]),
        spec,
        public_key: vec![9; 32],
        package: vec![7; 100],
        epoch: 0,
        root: Some(Root { point: vec![9; 32], chain_code: [4; 32] }),
        directory: directory("test").id(),
    }
}

fn signed(certificate: Certificate, by: &[u8]) -> SignedCertificate {
    let endorse = |number: &u8| certificate.endorse(party(*number), &identity(*number)).unwrap();
    SignedCertificate { signatures: by.iter().map(endorse).collect(), certificate }
}

#[test]
fn certificate_with_the_signatures_of_all_members_verifies() {
    let signed = signed(certificate(), &[3, 1, 2]);
    assert_eq!(signed.verify(&directory("test")), Ok(&certificate()));
    let json = serde_json::to_string(&signed).unwrap();
    assert_eq!(serde_json::from_str::<SignedCertificate>(&json).unwrap(), signed);
    let bytes = signed.to_bytes().unwrap();
    assert_eq!(SignedCertificate::from_bytes(&bytes).unwrap(), signed);
    for length in 0..bytes.len() {
        assert!(SignedCertificate::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(SignedCertificate::from_bytes(&longer), Err(WireError::Trailing(1)));
    let newer = [&[3], &bytes[1..]].concat();
    assert_eq!(SignedCertificate::from_bytes(&newer), Err(WireError::Version(3)));
}

#[test]
fn certificate_without_one_member_is_refused() {
    let refused = |by: &[u8]| signed(certificate(), by).verify(&directory("test")).unwrap_err();
    assert_eq!(refused(&[1, 2]), CertificateError::Missing(party(3)));
    assert_eq!(refused(&[2, 3, 2]), CertificateError::Missing(party(1)));
}

#[test]
fn certificate_with_an_altered_field_is_refused() {
    let alter: [fn(&mut Certificate); 6] = [
        |one| one.epoch = 1,
        |one| one.package[50] ^= 1,
        |one| one.root = None,
        |one| one.spec.threshold = 3,
        |one| one.spec.scope = "x".into(),
        |one| one.spec.labels = [("a".to_owned(), "b".to_owned())].into(),
    ];
    for alter in alter {
        let mut signed = signed(certificate(), &[1, 2, 3]);
        alter(&mut signed.certificate);
        assert_eq!(
            signed.verify(&directory("test")),
            Err(CertificateError::BadSignature(party(1)))
        );
    }
    let mut signed = signed(certificate(), &[1, 2, 3]);
    signed.signatures[1].signature[0] ^= 1;
    assert_eq!(signed.verify(&directory("test")), Err(CertificateError::BadSignature(party(2))));
}

#[test]
fn certificate_signed_in_anothers_name_is_refused() {
    let mut signed = signed(certificate(), &[1, 2, 3]);
    signed.signatures[2] = certificate().endorse(party(3), &identity(2)).unwrap();
    assert_eq!(signed.verify(&directory("test")), Err(CertificateError::BadSignature(party(3))));
}

#[test]
fn certificate_of_another_key_directory_or_spec_is_refused() {
    let with = |alter: fn(&mut Certificate)| {
        let mut certificate = certificate();
        alter(&mut certificate);
        signed(certificate, &[1, 2, 3]).verify(&directory("test")).unwrap_err()
    };
    assert_eq!(with(|one| one.public_key[0] = 8), CertificateError::OtherKey);
    assert_eq!(with(|one| one.spec.threshold = 4), CertificateError::Spec(SpecError::Threshold));
    let (expected, got) = (directory("test").id(), directory("other").id());
    assert_eq!(
        signed(certificate(), &[1, 2, 3]).verify(&directory("other")),
        Err(CertificateError::OtherDirectory { expected: got, got: expected })
    );
    let stranger = with(|one| one.spec.members[2] = party(4));
    assert_eq!(stranger, CertificateError::Missing(party(4)));
}

#[test]
fn certificate_longer_than_its_bound_is_not_signed() {
    let long = Certificate { package: vec![0; Certificate::MAX_BYTES], ..certificate() };
    assert!(long.endorse(party(1), &identity(1)).is_err());
}
