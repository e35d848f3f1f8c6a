//! The test vectors of RFC 9591, Appendix E, with every intermediate value; the same with
//! identifiers that do not fit a byte; and those of another implementation for Taproot.

use quorate::Parties;
use quorate::frost::generic::curve::{Curve, Secret};
use quorate::frost::generic::hash::SuiteHash;
use quorate::frost::generic::{
    Ciphersuite, Commitments, Coordinator, Dealing, KeyShare, PublicKeyPackage, Scalar,
    SignatureShare, SigningPackage,
};
use quorate_sharing::Polynomial;

use crate::data::{Fixed, Record, hex, records};

/// The bytes that `random_scalar` turns into this scalar: as many as it draws, the rest zeros.
fn as_randomness<S: Ciphersuite>(scalar: &[u8]) -> Vec<u8> {
    let length = if scalar.len() > 32 { 114 } else { 64 };
    let mut zeros = vec![0; length - scalar.len()];
    let one = S::Curve::encode_scalar(&Scalar::<S>::from(1));
    if one.as_ref()[0] == 1 {
        [scalar, &zeros].concat()
    } else {
        zeros.extend_from_slice(scalar);
        zeros
    }
}

fn scalar<S: Ciphersuite>(bytes: &[u8]) -> Scalar<S> {
    S::Curve::decode_scalar(bytes).unwrap()
}

fn base_times<S: Ciphersuite>(bytes: &[u8]) -> String {
    hex(S::Curve::encode_point(&S::Curve::mul_base(&scalar::<S>(bytes))).as_ref())
}

/// Appendix C: the shares are the values of the polynomial.
fn shares<S: Ciphersuite>(
    group: &Record<'_>,
    listed: &[Record<'_>],
) -> (Vec<KeyShare<S>>, PublicKeyPackage<S>) {
    let (secret, coefficient) = (group.bytes("group_secret_key"), group.bytes("coefficient"));
    let parties = Parties::numbered(group.number("parties")).unwrap();
    let mut rng = Fixed::new(&as_randomness::<S>(&coefficient));
    let Dealing { shares, public } = Dealing::<S>::import(&secret, 2, &parties, &mut rng).unwrap();
    rng.finish();
    assert_eq!(hex(public.verifying_key().as_bytes().as_ref()), group.text("group_public_key"));
    let polynomial = Polynomial::<S::Curve>::from_coefficients(vec![
        scalar::<S>(&secret),
        scalar::<S>(&coefficient),
    ]);

    let shares: Vec<_> =
        shares.into_iter().map(|share| share.accept(2, &public).unwrap()).collect();
    for record in listed {
        let (id, expected) = (record.id(), record.text("share"));
        let share = shares.iter().find(|share| share.id() == id).unwrap();
        let bytes = share.to_bytes();
        // The scalar is before the digest of 32 bytes.
        let body = bytes.split_last_chunk::<32>().unwrap().0;
        assert!(hex(body).ends_with(expected), "share of {id}");
        assert_eq!(hex(S::Curve::encode_scalar(&polynomial.evaluate(id)).as_ref()), expected);
        assert_eq!(hex(share.verifying_share().as_ref()), base_times::<S>(&record.bytes("share")));
        assert_eq!(public.verifying_share(id).unwrap(), share.verifying_share());
        let imported = KeyShare::import(id, &record.bytes("share"), &public).unwrap();
        assert_eq!(*imported.to_bytes(), *bytes);
    }
    (shares, public)
}

/// Section 4.1 and 5.1: the nonces of this randomness, and their commitments.
fn check_nonces<S: Ciphersuite>(record: &Record<'_>, commitments: &Commitments<S>) {
    for (which, commitment) in
        [("hiding", commitments.hiding().as_ref()), ("binding", commitments.binding().as_ref())]
    {
        let random = record.bytes(&format!("{which}_nonce_randomness"));
        let nonce = Secret::new(S::h3(&random, &record.bytes("share")));
        let expected = record.text(&format!("{which}_nonce"));
        assert_eq!(hex(S::Curve::encode_scalar(nonce.expose()).as_ref()), expected);
        let expected = record.bytes(&format!("{which}_nonce"));
        assert_eq!(hex(commitment), base_times::<S>(&expected));
        assert_eq!(hex(commitment), record.text(&format!("{which}_nonce_commitment")));
    }
}

/// Section 4.4: the binding factors and what they are hashed from.
fn check_binding<S: Ciphersuite>(
    signers: &[&Record<'_>],
    package: &SigningPackage<S>,
    public: &PublicKeyPackage<S>,
) {
    let inputs = package.binding_factor_inputs(public.verifying_key());
    let factors = package.binding_factors(public.verifying_key());
    assert_eq!((inputs.len(), factors.len()), (signers.len(), signers.len()));
    for ((record, input), factor) in signers.iter().zip(inputs).zip(factors) {
        assert_eq!(hex(&input), record.text("binding_factor_input"));
        assert_eq!(hex(&factor), record.text("binding_factor"));
        let mut hash = S::h1();
        hash.update(&input);
        let again = hash.finish::<S::Curve>();
        assert_eq!(S::Curve::encode_scalar(&again).as_ref(), factor);
    }
}

fn check<S: Ciphersuite>(text: &str) {
    let all = records(text);
    let (group, listed) = all.split_first().unwrap();
    let (shares, public) = shares::<S>(group, listed);
    let signers: Vec<&Record<'_>> =
        listed.iter().filter(|record| record.has("signature_share")).collect();
    let holder = |record: &Record<'_>| shares.iter().find(|s| s.id() == record.id()).unwrap();

    let group_id = public.package_id();
    let mut secret = Vec::new();
    let mut commitments = Vec::new();
    for record in &signers {
        let names = ["hiding_nonce_randomness", "binding_nonce_randomness"];
        let mut rng = Fixed::new(&names.map(|name| record.bytes(name)).concat());
        let (nonces, public) = holder(record).commit(&mut rng);
        rng.finish();
        check_nonces(record, &public);
        let imported = Commitments::from_parts(
            record.id(),
            group_id,
            public.hiding().as_ref(),
            public.binding().as_ref(),
        )
        .unwrap();
        assert_eq!(imported, public);
        secret.push(nonces);
        commitments.push(public);
    }

    let message = group.bytes("message");
    let package = SigningPackage::new(&public, commitments.clone(), &message).unwrap();
    check_binding(&signers, &package, &public);

    let sent = commitments.iter().map(|one| (one.id(), one.to_bytes()));
    let mut session = Coordinator::new(public.clone()).start(sent, &message).unwrap();
    assert_eq!(session.package(), &package);
    let mut signature_shares = Vec::new();
    for (record, nonces) in signers.iter().zip(secret) {
        let share = holder(record).sign(&package, nonces).unwrap();
        assert_eq!(hex(share.scalar().as_ref()), record.text("signature_share"));
        let imported =
            SignatureShare::from_parts(record.id(), &package, share.scalar().as_ref()).unwrap();
        assert_eq!(imported, share);
        public.verify_share(&package, &share).unwrap();
        session.receive(record.id(), &share.to_bytes()).unwrap();
        signature_shares.push(share);
    }

    let signature = public.aggregate(&package, &signature_shares).unwrap();
    assert_eq!(hex(signature.to_bytes().as_ref()), group.text("signature"));
    public.verifying_key().verify(&message, &signature).unwrap();
    let finished = Coordinator::new(public).aggregate(session).unwrap();
    assert_eq!(finished, signature);
}

macro_rules! vectors {
    ($($name:ident, $suite:ty, $file:literal;)*) => {
        $(
            #[test]
            fn $name() {
                check::<$suite>(include_str!(concat!("data/", $file, ".txt")));
            }
        )*
    };
}

use quorate::frost as suites;

vectors! {
    rfc9591_ed25519, suites::ed25519::Ed25519Sha512, "rfc9591_ed25519";
    rfc9591_ed448, suites::ed448::Ed448Shake256, "rfc9591_ed448";
    rfc9591_ristretto255, suites::ristretto255::Ristretto255Sha512, "rfc9591_ristretto255";
    rfc9591_p256, suites::p256::P256Sha256, "rfc9591_p256";
    rfc9591_secp256k1, suites::secp256k1::Secp256k1Sha256, "rfc9591_secp256k1";
    taproot, suites::secp256k1_tr::Secp256k1Taproot, "frost_secp256k1_tr";
    large_ids_ed25519, suites::ed25519::Ed25519Sha512, "large_ids_ed25519";
    large_ids_ed448, suites::ed448::Ed448Shake256, "large_ids_ed448";
    large_ids_ristretto255, suites::ristretto255::Ristretto255Sha512, "large_ids_ristretto255";
    large_ids_p256, suites::p256::P256Sha256, "large_ids_p256";
    large_ids_secp256k1, suites::secp256k1::Secp256k1Sha256, "large_ids_secp256k1";
}
