//! The test vectors of RFC 9497 (appendix A) and RFC 9381 (appendix B), with the vector's key in one place, shared among
//! three parties with a threshold of two, and among five with three.
//!
//! Joint proofs have nonces of their own, so their bytes are not those of a vector: they are verified by the same code that
//! verifies the proofs of the vectors.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::BTreeMap;

use common::{Fixed, Shared, evaluate, groups, hex, imported, prove, unhex};
use quorate_frost::{KeySuite, VerifyingKey};
use quorate_prf::curve::{Curve, Secret};
use quorate_prf::oprf::{
    BlindedElement, Blinding, EvaluatedElement, Output, PoprfBlinding, Proof, Server,
};
use quorate_prf::vrf::{
    EcvrfEd25519Ell2, EcvrfEd25519Tai, EcvrfP256Swu, EcvrfP256Tai, VrfProof, VrfSuite,
};
use quorate_prf::{
    Blinded, Mode, Oprf, P256Sha256, Poprf, PrfSuite, Query, Ristretto255Sha512, Voprf, Vrf,
};

type Record<'a> = BTreeMap<&'a str, &'a str>;

/// The values of a vector with several inputs.
fn list(vector: &Record<'_>, name: &str) -> Vec<Vec<u8>> {
    vector[name].split(',').map(unhex).collect()
}

/// The bytes that are reduced to this scalar when one is drawn.
fn drawn<M: Mode>(scalar: &[u8]) -> Vec<u8> {
    let zeros = vec![0; 64 - scalar.len()];
    let one = M::Curve::encode_scalar(&1.into());
    if one.as_ref()[0] == 1 { [scalar, &zeros].concat() } else { [&zeros, scalar].concat() }
}

fn server<M: Mode>(head: &Record<'_>) -> Server<M> {
    let seed = unhex(head["seed"]).try_into().unwrap();
    let server = Server::<M>::derive(&seed, &unhex(head["keyInfo"])).unwrap();
    let secret = M::Curve::encode_scalar(server.secret_key().expose());
    assert_eq!(hex(secret.as_ref()), head["skSm"]);
    if let Some(key) = head.get("pkSm") {
        assert_eq!(hex(server.public_key().as_ref()), *key);
    }
    Server::from_bytes(secret.as_ref()).unwrap()
}

fn blindings<M: Mode>(vector: &Record<'_>) -> Vec<Blinding<M>> {
    let pairs = list(vector, "Input").into_iter().zip(list(vector, "Blind"));
    let blind = |(input, blind): (Vec<u8>, Vec<u8>)| {
        Blinding::new(&input, &mut Fixed(drawn::<M>(&blind))).unwrap()
    };
    pairs.map(blind).collect()
}

fn sent<M: Mode>(vector: &Record<'_>, blinded: &[BlindedElement<M>]) {
    let expected: Vec<_> = list(vector, "BlindedElement").iter().map(|bytes| hex(bytes)).collect();
    let found: Vec<_> = blinded.iter().map(|one| hex(one.to_bytes().as_ref())).collect();
    assert_eq!(found, expected);
}

fn evaluated<M: Mode>(vector: &Record<'_>, found: &[EvaluatedElement<M>]) {
    let expected: Vec<_> =
        list(vector, "EvaluationElement").iter().map(|bytes| hex(bytes)).collect();
    assert_eq!(found.iter().map(|one| hex(one.to_bytes().as_ref())).collect::<Vec<_>>(), expected);
}

fn outputs<S: PrfSuite>(vector: &Record<'_>, found: &[Output<S>]) {
    let expected: Vec<_> = list(vector, "Output").iter().map(|bytes| hex(bytes)).collect();
    assert_eq!(found.iter().map(|one| hex((**one).as_ref())).collect::<Vec<_>>(), expected);
}

/// Every set of t parties, and all of them.
fn signers(threshold: u16, parties: u16) -> Vec<Vec<u16>> {
    let all: Vec<u16> = (1..=parties).collect();
    let subsets = (0..1u32 << parties).map(|bits| {
        all.iter().copied().filter(|party| bits >> (party - 1) & 1 == 1).collect::<Vec<_>>()
    });
    subsets.filter(|set| set.len() == usize::from(threshold) || set.len() == all.len()).collect()
}

/// The vector's key, shared, and each set of parties that evaluates with it.
fn shapes<M: KeySuite>(head: &Record<'_>) -> Vec<(Shared<M>, Vec<Vec<u16>>)> {
    let key = unhex(head["skSm"]);
    let shape = |(t, n)| (imported::<M>(&key, t, n), signers(t, n));
    [(2, 3), (3, 5)].map(shape).into()
}

fn together<M: Blinded>(
    key: &Shared<M>,
    parties: &[u16],
    blinded: &[BlindedElement<M>],
) -> Vec<EvaluatedElement<M>> {
    let query = Query::blinded(&key.public, blinded).unwrap();
    let shares = evaluate(key, &query, parties);
    query.aggregate(&key.public, &shares).unwrap().elements()
}

fn oprf<S: PrfSuite>(head: &Record<'_>, vector: &Record<'_>) {
    let blinded: Vec<_> = blindings::<Oprf<S>>(vector).iter().map(|one| *one.element()).collect();
    sent(vector, &blinded);
    let finish = |elements: &[EvaluatedElement<Oprf<S>>]| {
        evaluated(vector, elements);
        let found = blindings::<Oprf<S>>(vector).into_iter().zip(elements);
        outputs::<S>(
            vector,
            &found.map(|(one, element)| one.finalize(element)).collect::<Vec<_>>(),
        );
    };
    finish(&server::<Oprf<S>>(head).evaluate(&blinded));
    for (key, sets) in shapes::<Oprf<S>>(head) {
        for parties in sets {
            finish(&together(&key, &parties, &blinded));
        }
    }
}

fn voprf<S: PrfSuite>(head: &Record<'_>, vector: &Record<'_>) {
    let server = server::<Voprf<S>>(head);
    let public = server.verifying_key().unwrap();
    let blinded: Vec<_> = blindings::<Voprf<S>>(vector).iter().map(|one| *one.element()).collect();
    sent(vector, &blinded);
    let finish = |elements: &[EvaluatedElement<Voprf<S>>], proof: &Proof<Voprf<S>>| {
        evaluated(vector, elements);
        let proof = Proof::from_bytes(&proof.to_bytes()).unwrap();
        let all = blindings::<Voprf<S>>(vector);
        outputs::<S>(vector, &Blinding::finalize_all(all, &public, elements, &proof).unwrap());
    };
    let r = drawn::<Voprf<S>>(&unhex(vector["r"]));
    let (elements, proof) = server.evaluate(&blinded, &mut Fixed(r)).unwrap();
    assert_eq!(hex(&proof.to_bytes()), vector["Proof"]);
    finish(&elements, &proof);
    for (key, sets) in shapes::<Voprf<S>>(head) {
        assert_eq!(hex(key.public.verifying_key().as_bytes().as_ref()), head["pkSm"]);
        for parties in sets {
            let query = Query::blinded(&key.public, &blinded).unwrap();
            finish(&together(&key, &parties, &blinded), &prove(&key, &query, &parties));
        }
    }
}

fn poprf<S: PrfSuite>(head: &Record<'_>, vector: &Record<'_>) {
    let (server, info) = (server::<Poprf<S>>(head), unhex(vector["Info"]));
    let key = VerifyingKey::<Poprf<S>>::from_bytes(server.public_key().as_ref()).unwrap();
    let pairs = list(vector, "Input").into_iter().zip(list(vector, "Blind"));
    let all: Vec<_> = pairs
        .map(|(input, blind)| {
            let mut rng = Fixed(drawn::<Poprf<S>>(&blind));
            PoprfBlinding::<S>::new(&input, &info, &key, &mut rng).unwrap()
        })
        .collect();
    let blinded: Vec<_> = all.iter().map(|one| *one.element()).collect();
    sent(vector, &blinded);
    let r = drawn::<Poprf<S>>(&unhex(vector["r"]));
    let (elements, proof) = server.evaluate(&info, &blinded, &mut Fixed(r)).unwrap();
    evaluated(vector, &elements);
    assert_eq!(hex(&proof.to_bytes()), vector["Proof"]);
    outputs::<S>(vector, &PoprfBlinding::finalize_all(all, &elements, &proof).unwrap());
}

fn each<S: PrfSuite>(name: &str) {
    let mut seen = 0;
    for (suite, head, vectors) in groups(include_str!("data/rfc9497.txt")) {
        if suite != name {
            continue;
        }
        for vector in &vectors {
            seen += 1;
            match head["mode"] {
                "0" => oprf::<S>(&head, vector),
                "1" => voprf::<S>(&head, vector),
                _ => poprf::<S>(&head, vector),
            }
        }
    }
    assert_eq!(seen, 8);
}

#[test]
fn rfc9497_ristretto255() {
    each::<Ristretto255Sha512>("[ristretto255-SHA512]");
}

#[test]
fn rfc9497_p256() {
    each::<P256Sha256>("[P256-SHA256]");
}

fn vrf<V: VrfSuite>(name: &str) {
    let groups = groups(include_str!("data/rfc9381.txt"));
    let (_, _, vectors) = groups.iter().find(|(suite, ..)| *suite == name).unwrap();
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let [alpha, x, k] = ["alpha", "x", "k"].map(|name| unhex(vector[name]));
        // The scalar of a key of RFC 8032 is not reduced.
        let x = Secret::new(V::Curve::scalar_from_wide(&x));
        let k = Secret::new(V::Curve::scalar_from_wide(&k));
        let key = VerifyingKey::<Vrf<V>>::from_bytes(&unhex(vector["pk"])).unwrap();
        let h = V::encode_to_curve(key.as_bytes().as_ref(), &alpha).unwrap();
        assert_eq!(hex(V::Curve::encode_point(&h).as_ref()), vector["h"]);

        let alone = VrfProof::<V>::with_nonce(&x, &k, &alpha).unwrap();
        assert_eq!(hex(&alone.to_bytes()), vector["pi"]);
        let given = VrfProof::<V>::from_bytes(&unhex(vector["pi"])).unwrap();
        assert_eq!(hex(given.verify(&key, &alpha).unwrap().as_ref()), vector["beta"]);
        assert!(given.verify(&key, b"another input").is_err());

        let secret = V::Curve::encode_scalar(x.expose());
        for (t, n) in [(2, 3), (3, 5)] {
            let shared = imported::<Vrf<V>>(secret.as_ref(), t, n);
            assert_eq!(shared.public.verifying_key(), &key);
            let query = Query::vrf(&shared.public, &alpha).unwrap();
            for parties in signers(t, n) {
                let shares = evaluate(&shared, &query, &parties);
                let result = query.aggregate(&shared.public, &shares).unwrap();
                assert_eq!(hex(result.output().unwrap().as_ref()), vector["beta"]);
                let proof = prove(&shared, &query, &parties).to_bytes();
                // Γ is that of the vector.
                let gamma = vector["h"].len();
                assert_eq!(hex(&proof)[..gamma], vector["pi"][..gamma]);
                let proof = VrfProof::<V>::from_bytes(&proof).unwrap();
                assert_eq!(hex(proof.verify(&key, &alpha).unwrap().as_ref()), vector["beta"]);
            }
        }
    }
}

#[test]
fn rfc9381_p256_tai() {
    vrf::<EcvrfP256Tai>("[ECVRF-P256-SHA256-TAI]");
}

#[test]
fn rfc9381_p256_sswu() {
    vrf::<EcvrfP256Swu>("[ECVRF-P256-SHA256-SSWU]");
}

#[test]
fn rfc9381_edwards25519_tai() {
    vrf::<EcvrfEd25519Tai>("[ECVRF-EDWARDS25519-SHA512-TAI]");
}

#[test]
fn rfc9381_edwards25519_ell2() {
    vrf::<EcvrfEd25519Ell2>("[ECVRF-EDWARDS25519-SHA512-ELL2]");
}
