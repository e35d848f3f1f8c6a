//! The keys of this crate, and the inputs that a session refuses.

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quorate_frost::KeyShare;
use quorate_frost::session::{Parties, PartyId};

use super::*;
use crate::bip445::sign_deterministically;
use crate::{Secp256k1Taproot, Signature, XOnly, internal};

const TEXT: &[u8] = b"two of three";

type Shares = Vec<KeyShare<Secp256k1Taproot>>;

fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

fn dealt(seed: u8) -> (crate::PublicKeyPackage, Shares) {
    let parties = Parties::new([1, 4, 7].map(|one| PartyId::new(one).unwrap())).unwrap();
    let dealing = crate::Dealing::new(2, &parties, &mut rng(seed)).unwrap();
    let public = dealing.public;
    let accept = |share: crate::DealtShare| share.accept(2, &public).unwrap();
    let shares = dealing.shares.into_iter().map(accept).collect();
    (public, shares)
}

/// A session of some signers, with their nonces.
fn started(
    public: &crate::PublicKeyPackage,
    shares: &[&KeyShare<Secp256k1Taproot>],
) -> (Session, Vec<SecretNonce>, Vec<PublicNonce>) {
    let draw = |share: &&KeyShare<Secp256k1Taproot>| {
        let seed = u8::try_from(share.id().get()).unwrap();
        SecretNonce::generate(share, NonceInputs::default(), &mut rng(seed))
    };
    let nonces: Vec<_> = shares.iter().map(draw).collect();
    let sent: Vec<_> = nonces.iter().map(|one| *one.public()).collect();
    let sum = AggregateNonce::sum(&sent).unwrap();
    let signers = Signers::of(public, shares.iter().map(|share| share.id())).unwrap();
    (Session::new(&signers, &sum, &[], TEXT).unwrap(), nonces, sent)
}

#[test]
fn output_keys_sign_as_they_are() {
    for seed in 0..8 {
        let (public, shares) = dealt(seed);
        let all: Vec<_> = shares.iter().collect();
        for signers in [&all[..2], &all[1..], &all[..]] {
            let (session, nonces, sent) = started(&public, signers);
            let mut parts = Vec::new();
            for (at, (share, nonce)) in signers.iter().zip(nonces).enumerate() {
                let part = session.sign(share, nonce).unwrap();
                session.verify_share(&part, &sent, at).unwrap();
                parts.push(part);
            }
            let signature = Signature::from_bytes(&session.aggregate(&parts).unwrap()).unwrap();
            public.verifying_key().verify(TEXT, &signature).unwrap();
        }
    }
}

#[test]
fn internal_keys_sign_by_their_tweak() {
    for seed in 0..8 {
        let parties = Parties::numbered(3).unwrap();
        let dealing = internal::Dealing::new(2, &parties, &mut rng(seed)).unwrap();
        let public = dealing.public;
        let root = [seed; 32];
        let output = public.tweak(Some(root)).unwrap();
        let tweak = quorate_frost::keys::derive::tap_tweak(&public.x_only(), Some(&root)).unwrap();
        let tweak = Tweak::x_only(Secp256k1::encode_scalar(&tweak));
        let shares: Vec<_> = dealing.shares.into_iter().take(2).collect();
        let shares: Vec<_> =
            shares.into_iter().map(|share| share.accept(2, &public).unwrap()).collect();
        let draw = |share| SecretNonce::generate(share, NonceInputs::default(), &mut rng(9));
        let nonces: Vec<_> = shares.iter().map(draw).collect();
        let sent: Vec<_> = nonces.iter().map(|one| *one.public()).collect();
        let sum = AggregateNonce::sum(&sent).unwrap();
        let signers = Signers::of(&public, shares.iter().map(|share| share.id())).unwrap();
        let session = Session::new(&signers, &sum, &[tweak], TEXT).unwrap();
        assert_eq!(session.key().x_only(), output.x_only());
        let parts: Vec<_> = shares
            .iter()
            .zip(nonces)
            .map(|(share, nonce)| session.sign(share, nonce).unwrap())
            .collect();
        let signature = Signature::from_bytes(&session.aggregate(&parts).unwrap()).unwrap();
        output.verifying_key().verify(TEXT, &signature).unwrap();
    }
}

#[test]
fn a_key_may_be_listed_with_the_other_sign() {
    // As an implementation has it that keeps keys as they came out: the same x-coordinates, other children.
    for (seed, tweaks) in
        [(3, &[][..]), (3, &[Tweak::plain([3; 32])]), (4, &[Tweak::x_only([5; 32])])]
    {
        let (public, shares) = dealt(seed);
        let odd = |point: &[u8; 33]| {
            let mut point = *point;
            point[0] ^= 1;
            point
        };
        let key = odd(public.verifying_key().as_bytes());
        let even = Signers::of(&public, [shares[0].id(), shares[2].id()]).unwrap();
        assert_eq!(even.for_key(public.verifying_key().as_bytes()).unwrap(), even);
        assert_eq!(
            even.for_key(dealt(9).0.verifying_key().as_bytes()).err(),
            Some(Error::OtherKey)
        );
        assert_eq!(even.for_key(&[4; 33]).err(), Some(Error::BadKey));
        let signers = even.for_key(&key).unwrap();
        assert_eq!(signers.for_key(public.verifying_key().as_bytes()).unwrap(), even);
        // As the other implementation lists them.
        let listed = [0, 2].map(|at| {
            let share: &KeyShare<_> = &shares[at];
            (u32::from(share.id().get()) - 1, odd(share.verifying_share()))
        });
        assert_eq!(Signers::from_untrusted_list(2, 7, &listed, &key).unwrap(), signers);
        let draw = |at: usize| {
            let mut rng = rng(u8::try_from(at).unwrap());
            SecretNonce::generate(&shares[at], NonceInputs::default(), &mut rng)
        };
        let nonces = [draw(0), draw(2)];
        let sent = [*nonces[0].public(), *nonces[1].public()];
        let sum = AggregateNonce::sum(&sent).unwrap();
        let session = Session::new(&signers, &sum, tweaks, TEXT).unwrap();
        let expected = TweakedKey::new(&key).unwrap().apply_all(tweaks).unwrap();
        assert_eq!(session.key().plain(), expected.plain());
        let mut parts = Vec::new();
        for (place, (at, nonce)) in [0, 2].into_iter().zip(nonces).enumerate() {
            let part = session.sign(&shares[at], nonce).unwrap();
            session.verify_share(&part, &sent, place).unwrap();
            parts.push(part);
        }
        session.aggregate(&parts).unwrap();
    }
}

#[test]
fn the_last_signer_keeps_no_state() {
    let (public, shares) = dealt(3);
    let [first, second] = [&shares[0], &shares[2]];
    let nonce = SecretNonce::generate(first, NonceInputs::default(), &mut rng(1));
    let others = *nonce.public();
    let signers = Signers::of(&public, [first.id(), second.id()]).unwrap();
    let sign = |random| sign_deterministically(second, &signers, Some(&others), &[], TEXT, random);
    let (own, part) = sign(None).unwrap();
    assert_eq!(sign(None).unwrap(), (own, part), "the same again");
    assert_ne!(sign(Some(&[1; 32])).unwrap().0, own);
    let sum = AggregateNonce::sum(&[others, own]).unwrap();
    let session = Session::new(&signers, &sum, &[], TEXT).unwrap();
    let parts = [session.sign(first, nonce).unwrap(), part];
    let signature = Signature::from_bytes(&session.aggregate(&parts).unwrap()).unwrap();
    public.verifying_key().verify(TEXT, &signature).unwrap();
    // Whatever changes the session changes the nonce.
    let all = Signers::of(&public, shares.iter().map(KeyShare::id)).unwrap();
    let other = |signers, others, text: &[u8]| {
        sign_deterministically(second, signers, Some(others), &[], text, None).unwrap().0
    };
    let fresh = *SecretNonce::generate(first, NonceInputs::default(), &mut rng(2)).public();
    let nonces = [
        own,
        other(&all, &others, TEXT),
        other(&signers, &others, b"another"),
        other(&signers, &fresh, TEXT),
    ];
    assert!((1..4).all(|at| !nonces[..at].contains(&nonces[at])));
}

#[test]
fn an_unconfirmed_share_does_not_sign() {
    use quorate_frost::Frost;
    use quorate_frost::keys::Family;
    use quorate_frost::session::container::{HEADER, Kind};
    const ANY: Kind = Kind { code: 0, name: "", version: 1 };
    let (public, shares) = dealt(4);
    let label = Frost::<Secp256k1Taproot>::label(ANY);
    let form = label.altered(&shares[0].to_bytes(), |form| form[HEADER + 70] = 2);
    let share = KeyShare::from_bytes(&form, &public).unwrap();
    assert_eq!(share.state(), quorate_frost::ShareState::Unconfirmed);
    let (session, nonces, sent) = started(&public, &[&shares[0], &shares[1]]);
    let nonce = nonces.into_iter().next().unwrap();
    assert_eq!(session.sign(&share, nonce), Err(Error::Unconfirmed));
    let signers = Signers::of(&public, [share.id(), shares[1].id()]).unwrap();
    let alone = sign_deterministically(&share, &signers, Some(&sent[1]), &[], TEXT, None);
    assert_eq!(alone, Err(Error::Unconfirmed));
}

#[test]
fn cheats_are_named() {
    let (public, shares) = dealt(5);
    let (session, nonces, sent) = started(&public, &[&shares[0], &shares[1]]);
    let mut parts: Vec<_> = shares
        .iter()
        .zip(nonces)
        .map(|(share, nonce)| session.sign(share, nonce).unwrap())
        .collect();
    parts[1][31] ^= 1;
    assert_eq!(session.aggregate(&parts), Err(Error::NoSignature));
    session.verify_share(&parts[0], &sent, 0).unwrap();
    let wrong = session.verify_share(&parts[1], &sent, 1).unwrap_err();
    assert_eq!((wrong, wrong.culprit()), (Error::WrongShare { at: 1 }, Some(Culprit::Signer(1))));
    // Nonces that were not those of the sum.
    let mut others = sent.clone();
    others[1] = others[0];
    assert_eq!(session.verify_share(&parts[0], &others, 0), Err(Error::OtherNonces));
    let count = Error::WrongCount { got: 1, expected: 2 };
    assert_eq!(session.verify_share(&parts[0], &sent[..1], 0), Err(count));
    assert_eq!(session.aggregate(&parts[..1]), Err(count));
    assert_eq!(session.verify_share(&parts[0], &sent, 2), Err(Error::NotASigner));
    // A signer that does not belong to the session.
    let nonce = SecretNonce::generate(&shares[2], NonceInputs::default(), &mut rng(1));
    assert_eq!(session.sign(&shares[2], nonce), Err(Error::NotASigner));
    // One of another key.
    let (_, others) = dealt(6);
    let nonce = SecretNonce::generate(&others[0], NonceInputs::default(), &mut rng(1));
    assert_eq!(session.sign(&others[0], nonce), Err(Error::ForeignKey));
}

#[test]
fn nonces_that_cancel_are_signed_with_and_blamed() {
    let (public, shares) = dealt(7);
    let nonce = SecretNonce::generate(&shares[0], NonceInputs::default(), &mut rng(1));
    let mut negative = *nonce.public();
    negative[0] ^= 1;
    negative[33] ^= 1;
    let sent = [*nonce.public(), negative];
    let sum = AggregateNonce::sum(&sent).unwrap();
    assert_eq!(sum.as_bytes(), &[0; 66]);
    let signers = Signers::of(&public, [shares[0].id(), shares[1].id()]).unwrap();
    let session = Session::new(&signers, &sum, &[], TEXT).unwrap();
    let part = session.sign(&shares[0], nonce).unwrap();
    session.verify_share(&part, &sent, 0).unwrap();
    assert_eq!(session.verify_share(&part, &sent, 1), Err(Error::WrongShare { at: 1 }));
}

#[test]
fn who_is_no_signer_and_what_is_no_key() {
    let (public, shares) = dealt(8);
    let stranger = PartyId::new(2).unwrap();
    let refused = Signers::of(&public, [shares[0].id(), stranger]).unwrap_err();
    assert_eq!(refused, Error::UnknownParty(stranger));
    let alone = Signers::of(&public, [shares[0].id()]).unwrap_err();
    assert_eq!(alone, Error::NumberOfSigners { got: 1, threshold: 2, parties: 7 });
    assert_eq!(Signers::from_untrusted_list(2, 3, &[], &[2; 33]).unwrap_err().culprit(), None);
    let nobody = Error::NumberOfSigners { got: 0, threshold: 0, parties: 3 };
    assert_eq!(Signers::from_untrusted_list(0, 3, &[], &[2; 33]).unwrap_err(), nobody);
    let many = Signers::from_untrusted_list(2, 129, &[], &[2; 33]).unwrap_err();
    assert_eq!(many, Error::TooManyParties { got: 129 });
    assert_ne!(Signers::from_untrusted_list(2, 128, &[], &[2; 33]).unwrap_err(), many);
    assert_eq!(TweakedKey::new(&[4; 33]).unwrap_err(), Error::BadKey);
    let key = TweakedKey::new(public.verifying_key().as_bytes()).unwrap();
    assert_eq!(key.plain(), public.verifying_key().as_bytes());
    // x·G − x·G
    let one = Secp256k1::encode_point(&Secp256k1::generator());
    let minus = Secp256k1::encode_scalar(&-Scalar::from(1));
    let infinity = TweakedKey::new(&one).unwrap().apply(&Tweak::plain(minus)).unwrap_err();
    assert_eq!(infinity, Error::Infinity);
}

#[test]
fn texts_say_what_is_wrong() {
    use alloc::string::ToString;
    let party = PartyId::new(2).unwrap();
    let all = [
        Error::NumberOfSigners { got: 1, threshold: 2, parties: 3 },
        Error::TooManyParties { got: 129 },
        Error::BadId { at: 1 },
        Error::DuplicateId { id: 1 },
        Error::UnknownParty(party),
        Error::BadPublicShare { at: 1 },
        Error::OtherKey,
        Error::BadKey,
        Error::BadTweak,
        Error::Infinity,
        Error::BadNonce { at: 1 },
        Error::BadSum,
        Error::BadSumOfOthers,
        Error::OtherNonces,
        Error::ForeignKey,
        Error::ForeignCommittee,
        Error::NotASigner,
        Error::OtherShare,
        Error::ZeroShare,
        Error::ZeroNonce,
        Error::Unconfirmed,
        Error::WrongCount { got: 1, expected: 2 },
        Error::BadShare { at: 1 },
        Error::WrongShare { at: 1 },
        Error::NoSignature,
        Error::ZeroHash,
    ];
    let texts: alloc::collections::BTreeSet<_> = all.iter().map(Error::to_string).collect();
    assert_eq!(texts.len(), all.len(), "one text each");
    assert!(texts.iter().all(|text| !text.is_empty() && !text.ends_with('.')));
}
