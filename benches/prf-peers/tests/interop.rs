//! Clients and servers of the crate `voprf`, with keys shared 2-of-3 here: each side's messages are read by the other, and
//! outputs agree.

use quorate_prf::curve::Curve;
use quorate_prf::frost::{KeyShare, PublicKeyPackage, VerifyingKey};
use quorate_prf::oprf::{BlindedElement, Blinding, EvaluatedElement, PoprfBlinding, Proof, Server};
use quorate_prf::{
    Blinded, Mode, Oprf, P256Sha256, Poprf, PrfSuite, ProofPackage, Query, Ristretto255Sha512,
    Voprf,
};
use quorate_prf_peers::{dealt, rng};
use rand_core_06::OsRng;
use voprf::{CipherSuite, Group};

const INPUT: &[u8] = b"the input";
const SEED: [u8; 32] = [7; 32];

/// The same tests for each suite that both have.
macro_rules! for_each_suite {
    ($($name:ident: $ours:ty, $theirs:ty;)*) => {
        $(mod $name {
            use super::*;

            type Ours = $ours;
            type Theirs = $theirs;

            #[test]
            fn their_client_of_our_parties() {
                let server = voprf::OprfServer::<Theirs>::new_from_seed(&SEED, b"key").unwrap();
                let key = key::<Oprf<Ours>>();
                let (public, shares) = dealt::<Oprf<Ours>>(&key, 2, 3);
                let client = voprf::OprfClient::<Theirs>::blind(INPUT, &mut OsRng).unwrap();
                let sent = client.message.serialize();
                let query = query(&public, &sent);
                let result = evaluate(&public, &shares, &query);
                let answer = voprf::EvaluationElement::deserialize(&result).unwrap();
                let output = client.state.finalize(INPUT, &answer).unwrap();
                assert_eq!(output, server.evaluate(INPUT).unwrap());
            }

            #[test]
            fn our_client_of_their_server() {
                let server = voprf::OprfServer::<Theirs>::new_from_seed(&SEED, b"key").unwrap();
                let client = Blinding::<Oprf<Ours>>::new(INPUT, &mut rng(2)).unwrap();
                let sent = client.element().to_bytes();
                let element = voprf::BlindedElement::deserialize(&sent).unwrap();
                let answer = server.blind_evaluate(&element).serialize();
                let output = client.finalize(&EvaluatedElement::from_bytes(&answer).unwrap());
                assert_eq!(output[..], server.evaluate(INPUT).unwrap()[..]);
            }

            #[test]
            fn their_verifying_client_of_our_parties() {
                let server = voprf::VoprfServer::<Theirs>::new_from_seed(&SEED, b"key").unwrap();
                let key = key::<Voprf<Ours>>();
                let (public, shares) = dealt::<Voprf<Ours>>(&key, 2, 3);
                let client = voprf::VoprfClient::<Theirs>::blind(INPUT, &mut OsRng).unwrap();
                let query = query(&public, &client.message.serialize());
                let result = evaluate(&public, &shares, &query);
                let answer = voprf::EvaluationElement::deserialize(&result).unwrap();
                let proof = prove(&public, &shares, &query).to_bytes();
                let proof = voprf::Proof::deserialize(&proof).unwrap();
                let output =
                    client.state.finalize(INPUT, &answer, &proof, server.get_public_key()).unwrap();
                assert_eq!(output, server.evaluate(INPUT).unwrap());
            }

            #[test]
            fn our_verifying_client_of_their_server() {
                let server = voprf::VoprfServer::<Theirs>::new_from_seed(&SEED, b"key").unwrap();
                let key = <<Theirs as CipherSuite>::Group as Group>::serialize_elem(
                    server.get_public_key(),
                );
                let key = VerifyingKey::<Voprf<Ours>>::from_bytes(&key).unwrap();
                let client = Blinding::<Voprf<Ours>>::new(INPUT, &mut rng(2)).unwrap();
                let sent = client.element().to_bytes();
                let element = voprf::BlindedElement::deserialize(&sent).unwrap();
                let answer = server.blind_evaluate(&mut OsRng, &element);
                let proof = Proof::from_bytes(&answer.proof.serialize()).unwrap();
                let element = EvaluatedElement::from_bytes(&answer.message.serialize()).unwrap();
                let output = client.finalize(&key, &element, &proof).unwrap();
                assert_eq!(output[..], server.evaluate(INPUT).unwrap()[..]);
            }

            #[test]
            fn clients_and_servers_with_a_public_input() {
                let theirs = voprf::PoprfServer::<Theirs>::new_from_seed(&SEED, b"key").unwrap();
                let ours = Server::<Poprf<Ours>>::derive(&SEED, b"key").unwrap();
                let expected = theirs.evaluate(INPUT, Some(b"info")).unwrap();

                let key = VerifyingKey::<Poprf<Ours>>::from_bytes(ours.public_key()).unwrap();
                let client = PoprfBlinding::<Ours>::new(INPUT, b"info", &key, &mut rng(2)).unwrap();
                let sent = voprf::BlindedElement::deserialize(&client.element().to_bytes()).unwrap();
                let answer = theirs.blind_evaluate(&mut OsRng, &sent, Some(b"info")).unwrap();
                let proof = Proof::from_bytes(&answer.proof.serialize()).unwrap();
                let element = EvaluatedElement::from_bytes(&answer.message.serialize()).unwrap();
                let output = client.finalize(&element, &proof).unwrap();
                assert_eq!(output[..], expected[..]);

                let client = voprf::PoprfClient::<Theirs>::blind(INPUT, &mut OsRng).unwrap();
                let sent = BlindedElement::from_bytes(&client.message.serialize()).unwrap();
                let (elements, proof) = ours.evaluate(b"info", &[sent], &mut rng(3)).unwrap();
                let element = voprf::EvaluationElement::deserialize(&elements[0].to_bytes()).unwrap();
                let proof = voprf::Proof::deserialize(&proof.to_bytes()).unwrap();
                let key = theirs.get_public_key();
                let output =
                    client.state.finalize(INPUT, &element, &proof, key, Some(b"info")).unwrap();
                assert_eq!(output, expected);
            }
        })*
    };
}

for_each_suite! {
    ristretto255: Ristretto255Sha512, voprf::Ristretto255;
    p256: P256Sha256, ::p256::NistP256;
}

/// The key that both derive from the seed.
fn key<M: Mode>() -> Vec<u8> {
    let server = Server::<M>::derive(&SEED, b"key").unwrap();
    M::Curve::encode_scalar(server.secret_key().expose()).as_ref().to_vec()
}

fn query<M: Blinded>(public: &PublicKeyPackage<M>, element: &[u8]) -> Query<M> {
    Query::blinded(public, &[BlindedElement::from_bytes(element).unwrap()]).unwrap()
}

/// The element that parties 1 and 3 evaluate.
fn evaluate<M: Blinded>(
    public: &PublicKeyPackage<M>,
    shares: &[KeyShare<M>],
    query: &Query<M>,
) -> Vec<u8> {
    let shares = [0, 2].map(|at: usize| query.evaluate(&shares[at], &mut rng(4)).unwrap());
    let result = query.aggregate(public, &shares).unwrap();
    result.elements()[0].to_bytes().as_ref().to_vec()
}

/// The joint proof of parties 1 and 3.
fn prove<S: PrfSuite>(
    public: &PublicKeyPackage<Voprf<S>>,
    shares: &[KeyShare<Voprf<S>>],
    query: &Query<Voprf<S>>,
) -> Proof<Voprf<S>> {
    let parties = [&shares[0], &shares[2]];
    let rounds = parties.map(|share| query.contribute(share, &mut rng(5)).unwrap());
    let (nonces, sent): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    let package = ProofPackage::new(public, query, sent).unwrap();
    let answers = parties.iter().zip(nonces);
    let answers: Vec<_> =
        answers.map(|(share, nonces)| package.prove(share, nonces).unwrap()).collect();
    package.aggregate(&answers).unwrap()
}
