//! Errors that no honest suite, generator or dealer gives: a suite whose hash is constant, a key
//! chosen for its generator, a share altered on its way.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::indexing_slicing,
    reason = "tests"
)]

use chacha20::ChaCha20Rng;
use quorate_curve::{Curve, Ristretto255};
use quorate_frost::hash::SuiteHash;
use quorate_frost::keys::Family as _;
use quorate_frost::session::container::{DIGEST, Kind};
use quorate_frost::session::{Parties, PartyId};
use quorate_frost::{
    AcceptError, AggregateError, Ciphersuite, Commitments, Coordinator, DealError, Dealing,
    DealtShare, DecodeError, Frost, KeyShare, KeySuite, PackageError, PointBytes, PublicKeyPackage,
    RandomizerSeed, ScalarBytes, ShareRejected, SignError, SignatureShare, SigningPackage,
    TweakError, signature_bytes,
};

/// A hash to scalars whose every value is 1: every nonce, binding factor, challenge and randomiser.
#[derive(Clone)]
struct One;

impl SuiteHash for One {
    type Digest = [u8; 1];

    fn new(_context: &'static str, _tag: &'static str) -> Self {
        Self
    }

    fn update(&mut self, _bytes: &[u8]) {}

    fn finish<C: Curve>(self) -> C::Scalar {
        C::Scalar::from(1)
    }

    fn digest<'a>(_: &str, _: &str, _: impl IntoIterator<Item = &'a [u8]>) -> [u8; 1] {
        [0]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Constant;

impl KeySuite for Constant {
    type Curve = Ristretto255;
    type Hash = One;

    const CONTEXT: &'static str = "a suite for tests";
    const CODE: u8 = 255;
}

impl Ciphersuite for Constant {
    type SignatureBytes = [u8; 64];

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> [u8; 64] {
        signature_bytes(r, z)
    }
}

type Scalar = <Ristretto255 as Curve>::Scalar;

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn rng() -> ChaCha20Rng {
    quorate_testkit::rng(7)
}

fn deal(key: Scalar) -> Result<Dealing<Constant>, DealError> {
    let parties = Parties::numbered(3).unwrap();
    Dealing::import(&Ristretto255::encode_scalar(&key), 2, &parties, &mut rng())
}

/// The shares of two parties of this key, and its package.
fn keys(key: Scalar) -> ([KeyShare<Constant>; 2], PublicKeyPackage<Constant>) {
    let Dealing { shares, public } = deal(key).unwrap();
    let mut shares = shares.into_iter().map(|share| share.accept(2, &public).unwrap());
    ([shares.next().unwrap(), shares.next().unwrap()], public)
}

/// Commitments D = E = −G of party 2. They cancel with D = E = G of a party whose nonces are 1.
fn opposite(public: &PublicKeyPackage<Constant>) -> Commitments<Constant> {
    let minus = Ristretto255::encode_point(&-Ristretto255::generator());
    Commitments::from_parts(id(2), public.package_id(), &minus, &minus).unwrap()
}

#[test]
fn commitments_that_cancel() {
    let ([alice, bob], public) = keys(Scalar::from(5));
    let (nonces, commitments) = alice.commit(&mut rng());
    let opposite = opposite(&public);
    let sent = [commitments, opposite].map(|one| (one.id(), one.to_bytes()));
    let refused = Coordinator::new(public.clone()).start(sent, b"message");
    assert_eq!(refused.unwrap_err(), PackageError::IdentityCommitment);
    let package = SigningPackage::new(&public, [commitments, opposite], b"message").unwrap();
    assert_eq!(alice.sign(&package, nonces), Err(SignError::IdentityCommitment));
    let one = Ristretto255::encode_scalar(&Scalar::from(1));
    let shares =
        [alice.id(), bob.id()].map(|id| SignatureShare::from_parts(id, &package, &one).unwrap());
    let refused = public.aggregate(&package, &shares);
    assert_eq!(refused, Err(AggregateError::IdentityCommitment));
    let refused = public.verify_share(&package, &shares[0]);
    assert_eq!(refused, Err(AggregateError::IdentityCommitment));
}

#[test]
fn a_randomizer_that_gives_no_key() {
    // The randomiser is 1, so the key −1 becomes the identity.
    let ([alice, bob], public) = keys(-Scalar::from(1));
    let (nonces, alices) = alice.commit(&mut rng());
    let (_, bobs) = bob.commit(&mut rng());
    let package = SigningPackage::new(&public, [alices, bobs], b"message").unwrap();
    let seed = RandomizerSeed::new::<Constant>(&mut rng());
    assert_eq!(public.randomized(&package, &seed).err(), Some(TweakError::Degenerate));
    assert_eq!(alice.sign_randomized(&package, nonces, &seed), Err(SignError::Tweak));
}

#[test]
fn a_share_that_comes_out_as_zero() {
    let ([alice, _], _) = keys(Scalar::from(5));
    let share = *alice.secret_share().secret().expose();
    // Party 1 of the key k has k + a at place 1, and a is the same for one generator.
    let slope = share - Scalar::from(5);
    assert_eq!(deal(-slope).err(), Some(DealError::ZeroShare));
}

#[test]
fn a_share_beside_the_polynomial() {
    let Dealing { shares, public } = deal(Scalar::from(5)).unwrap();
    let mut bytes = shares[0].to_bytes();
    let secret = bytes.len() - DIGEST - 32;
    bytes.truncate(secret + 32);
    let moved = Ristretto255::decode_scalar(&bytes[secret..]).unwrap() + Scalar::from(1);
    bytes[secret..].copy_from_slice(&Ristretto255::encode_scalar(&moved));
    let kind = Kind { code: 3, name: "a dealt share", version: 1 };
    Frost::<Constant>::label(kind).end(&mut bytes);
    let dealt = DealtShare::<Constant>::from_bytes(&bytes).unwrap();
    assert_eq!(dealt.accept(2, &public).err(), Some(AcceptError::InvalidShare));
}

/// A dealer deals at epoch 0, for certain parties: the same key and shares at a later one, or without one of the
/// parties, are another package.
#[test]
fn a_dealt_share_and_another_epoch_or_committee() {
    let Dealing { mut shares, public } = deal(Scalar::from(5)).unwrap();
    let parties = public.parties().clone();
    let verifying: Vec<_> = parties.iter().filter_map(|id| public.verifying_share(id)).collect();
    let package = |epoch, few: usize| {
        let parties = Parties::new(parties.iter().take(few)).unwrap();
        let (key, verifying) = (public.verifying_key().as_bytes(), &verifying[..few]);
        PublicKeyPackage::<Constant>::from_parts(2, epoch, parties, key, verifying).unwrap()
    };
    let mut accept = |epoch, few| shares.remove(0).accept(2, &package(epoch, few)).err();
    assert_eq!(accept(0, 3), None);
    assert_eq!(accept(1, 3), Some(AcceptError::OtherPackage));
    let Dealing { shares, .. } = deal(Scalar::from(5)).unwrap();
    for share in shares.into_iter().take(2) {
        assert_eq!(share.accept(2, &package(0, 2)).err(), Some(AcceptError::OtherPackage));
    }
}

#[test]
fn verifying_shares_of_another_number_than_parties() {
    let (_, public) = keys(Scalar::from(5));
    let parties = public.parties().clone();
    let shares: Vec<_> = parties.iter().filter_map(|id| public.verifying_share(id)).collect();
    let key = public.verifying_key().as_bytes();
    let refused = PublicKeyPackage::<Constant>::from_parts(2, 0, parties, key, &shares[..2]);
    assert_eq!(refused.err(), Some(DecodeError::WrongCount { expected: 3, got: 2 }));
}

#[test]
fn signers_that_are_strangers() {
    let ([alice, bob], public) = keys(Scalar::from(5));
    let sent = [&alice, &bob].map(|share| {
        let (_, commitments) = share.commit(&mut rng());
        (share.id(), commitments.to_bytes())
    });
    let coordinator = Coordinator::new(public.clone());
    let mut session = coordinator.start(sent, b"message").unwrap();
    assert_eq!(session.receive(id(3), b"any"), Err(ShareRejected::NotASigner));
    let one = Ristretto255::encode_point(&Ristretto255::generator());
    let stranger = Commitments::from_parts(id(9), public.package_id(), &one, &one).unwrap();
    let refused = SigningPackage::new(&public, [opposite(&public), stranger], b"message");
    assert_eq!(refused.err(), Some(PackageError::UnknownParty(id(9))));
}

/// A package with more parties than can be checked in a few minutes is refused before a point of it is decoded.
#[test]
fn imports_of_too_many_steps() {
    for (parties, threshold, most, got) in
        [(8000, 2, 1 << 22, 8000 * 7998), (1000, 1000, 1 << 19, 1000 * 1000)]
    {
        let all = (1..=parties).map(|number| PartyId::new(number).unwrap());
        let shares = vec![[0xff; 32]; parties.into()];
        let read = PublicKeyPackage::<Constant>::from_parts(
            threshold,
            0,
            Parties::new(all).unwrap(),
            &[0xff; 32],
            &shares,
        );
        assert_eq!(read.err(), Some(DecodeError::TooLarge { most, got }));
    }
}

/// More steps than t·n may have are refused before any is taken, by a dealer and by the reader of a package.
#[test]
fn committees_of_too_many_steps() {
    let numbers = 1..=u16::MAX;
    let all = Parties::new(numbers.clone().map(|number| PartyId::new(number).unwrap())).unwrap();
    let (most, got) = (1 << 24, 257 * 65535);
    let dealt = Dealing::<Constant>::new(257, &all, &mut rng());
    assert_eq!(dealt.err(), Some(DealError::TooLarge { most, got }));

    let (_, public) = keys(Scalar::from(5));
    let honest = public.to_bytes();
    // Magic, version, kind, curve, family, length; epoch, threshold, number of parties.
    let head = [&honest[..16], &257u16.to_be_bytes(), &u16::MAX.to_be_bytes()].concat();
    let mut bytes = [head, numbers.flat_map(u16::to_be_bytes).collect()].concat();
    let kind = Kind { code: 66, name: "the public side of a key", version: 1 };
    Frost::<Constant>::label(kind).end(&mut bytes);
    let read = PublicKeyPackage::<Constant>::from_bytes(&bytes);
    assert_eq!(read.err(), Some(DecodeError::TooLarge { most, got }));
}
