//! The threshold PRF: shares of evaluations and of joint proofs, a client's blinds and outputs, the whole key of a server,
//! and hardened children.

use quorate_frost::{Dealing, KeyShare, KeySuite, PublicKeyPackage};
use quorate_prf::oprf::{BlindedElement, Blinding, PoprfBlinding, Server};
use quorate_prf::vrf::{EcvrfEd25519Ell2, EcvrfP256Tai, VrfSuite};
use quorate_prf::{
    ChildTweak, Contribution, EvaluationShare, Kdf, KeyKind, Oprf, P256Sha256, Poprf, PrfSuite,
    ProofPackage, ProofShare, Provable, Query, Ristretto255Sha512, Secp256k1Sha256, Voprf, Vrf,
};
use quorate_session::Parties;

use super::frost::marked;
use super::{Case, Run, bytes};
use crate::memory::{hide, show};
use crate::random::{self, Secrets};

macro_rules! cases {
    ($($suite:ty, $name:literal;)*) => {
        pub(super) const ALL: &[Case] = &[
            $(
                (concat!("PRF, blinds, ", $name), blinds::<$suite>),
                (concat!("PRF, a server, ", $name), server::<$suite>),
                (concat!("PRF, shares and joint proof, ", $name), oblivious::<$suite>),
                (concat!("PRF, a hardened child, ", $name), child::<$suite>),
            )*
            ("PRF, a verifiable output, P-256", verifiable::<EcvrfP256Tai>),
            ("PRF, a verifiable output, Ed25519", verifiable::<EcvrfEd25519Ell2>),
        ];
    };
}

cases! {
    Ristretto255Sha512, "ristretto255";
    P256Sha256, "P-256";
    Secp256k1Sha256, "secp256k1";
}

/// A key of two of two parties: the secret of the first share is marked.
struct Shared<K: KeySuite> {
    public: PublicKeyPackage<K>,
    shares: [KeyShare<K>; 2],
}

impl<K: KeySuite> Shared<K> {
    fn new(seed: u8) -> Self {
        let parties = Parties::numbered(2).expect("two");
        let Dealing { shares, public } =
            Dealing::<K>::new(2, &parties, &mut random::public(seed)).expect("two of two");
        let mut shares = shares.into_iter();
        let mut next = || shares.next().expect("two").accept(2, &public).expect("honest");
        let (mine, other) = (next(), next());
        Self { shares: [marked(&mine, &public), other], public }
    }
}

/// Both shares of an evaluation, as they are sent.
fn evaluated<K: KeyKind>(key: &Shared<K>, query: &Query<K>) -> [EvaluationShare<K>; 2] {
    let [mine, other] = &key.shares;
    let own = query.evaluate(mine, &mut Secrets::new(71)).expect("its own key").to_bytes();
    show(&own);
    let own = EvaluationShare::from_bytes(mine.id(), &own).expect("sent just now");
    [own, query.evaluate(other, &mut random::public(72)).expect("its own key")]
}

/// The joint proof of both.
fn proof<K: Provable>(key: &Shared<K>, query: &Query<K>) -> (ProofPackage<K>, K::Proof) {
    let [mine, other] = &key.shares;
    let (nonces, own) = query.contribute(mine, &mut Secrets::new(73)).expect("its own key");
    let (others_nonces, others) =
        query.contribute(other, &mut random::public(74)).expect("its own key");
    let own = own.to_bytes();
    show(&own);
    let own = Contribution::from_bytes(mine.id(), &own).expect("sent just now");
    let package = ProofPackage::new(&key.public, query, [own, others]).expect("two good shares");
    let signed = package.prove(mine, nonces).expect("a package that fits").to_bytes();
    show(&signed);
    let signed = ProofShare::from_bytes(mine.id(), &signed).expect("sent just now");
    let others = package.prove(other, others_nonces).expect("a package that fits");
    let proof = package.aggregate(&[signed, others]).expect("two good shares");
    (package, proof)
}

/// An input whose bytes are marked.
fn input() -> Vec<u8> {
    let input = bytes(75, 20);
    hide(&input);
    input
}

/// Compares an output, which is secret, with another.
fn same(one: &[u8], other: &[u8]) {
    let copies = [one.to_vec(), other.to_vec()];
    copies.iter().for_each(|copy| show(copy));
    assert!(copies[0] == copies[1]);
}

fn oblivious<S: PrfSuite>(_: &Run) {
    let key = Shared::<Voprf<S>>::new(70);
    let blind = |seed: u8| Blinding::<Voprf<S>>::new(&[seed], &mut random::public(seed));
    let blindings = [blind(76), blind(77)].map(|one| one.expect("short"));
    let elements = blindings.each_ref().map(|one| *one.element());
    let query = Query::blinded(&key.public, &elements).expect("two");
    query.aggregate(&key.public, &evaluated(&key, &query)).expect("two good shares");
    let (package, proof) = proof(&key, &query);
    let results = package.evaluation().elements();
    let outputs =
        Blinding::finalize_all(blindings.into(), key.public.verifying_key(), &results, &proof);
    assert!(outputs.expect("verifies").len() == 2);
}

fn verifiable<V: VrfSuite>(_: &Run) {
    let key = Shared::<Vrf<V>>::new(70);
    let query = Query::vrf(&key.public, b"watched").expect("a point");
    let result = query.aggregate(&key.public, &evaluated(&key, &query)).expect("two good shares");
    let (_, proof) = proof(&key, &query);
    let output = proof.verify(key.public.verifying_key(), b"watched").expect("verifies");
    assert!(result.output().expect("one point").as_ref() == output.as_ref());
}

/// The input and the blind are secrets of the client.
fn blinds<S: PrfSuite>(_: &Run) {
    let server = Server::<Oprf<S>>::derive(&[78; 32], b"").expect("a key");
    let output = |blinding: Blinding<Oprf<S>>| {
        let sent = blinding.element().to_bytes();
        show(sent.as_ref());
        let sent = BlindedElement::from_bytes(sent.as_ref()).expect("sent just now");
        let evaluated = server.evaluate(&[sent]);
        blinding.finalize(&evaluated[0])
    };
    let secret = input();
    let marked = Blinding::new(&secret, &mut Secrets::new(79)).expect("short");
    let marked = output(marked);
    let plain = bytes(75, 20);
    let public = Blinding::new(&plain, &mut random::public(80)).expect("short");
    same((*marked).as_ref(), (*output(public)).as_ref());
}

/// The whole key of a server, also shifted by the hash of a public input.
fn server<S: PrfSuite>(_: &Run) {
    let seed: [u8; 32] = bytes(81, 32).try_into().expect("32 bytes");
    let public = Server::<Poprf<S>>::derive(&seed, b"").expect("a key");
    let secret = seed;
    hide(&secret);
    let marked = Server::<Poprf<S>>::derive(&secret, b"").expect("a key");
    let key = *marked.public_key();
    show(key.as_ref());
    assert!(key.as_ref() == public.public_key().as_ref());
    let key = quorate_frost::VerifyingKey::from_bytes(key.as_ref()).expect("a key");
    let blinding = PoprfBlinding::<S>::new(b"input", b"info", &key, &mut random::public(82));
    let blinding = blinding.expect("short");
    let answer = marked.evaluate(b"info", &[*blinding.element()], &mut Secrets::new(83));
    let (elements, proof) = answer.expect("one element");
    let proof = proof.to_bytes();
    show(&proof);
    let proof = quorate_prf::oprf::Proof::from_bytes(&proof).expect("sent just now");
    blinding.finalize(&elements[0], &proof).expect("verifies");
}

/// A parent whose share is marked, shifted by a tweak that a marked share has made.
fn child<S: PrfSuite>(_: &Run) {
    type Parent = quorate::frost::ed25519::Ed25519Sha512;
    let (prf, parent) = (Shared::<Kdf<S>>::new(84), Shared::<Parent>::new(85));
    let key = parent.public.shared();
    let query = Query::hardened(&prf.public, key, &[44, 0]).expect("a point");
    let result = query.aggregate(&prf.public, &evaluated(&prf, &query)).expect("two good shares");
    let tweak = ChildTweak::new(&prf.public, &query, &result, key, &[44, 0]).expect("its query");
    let public = tweak.public(key, ()).expect("a child");
    let share = tweak.key_share(key, parent.shares[0].secret_share(), ()).expect("its parent");
    assert!(share.verifying_share() != parent.shares[0].verifying_share());
    assert!(public.verifying_key() != parent.public.verifying_key());
}
