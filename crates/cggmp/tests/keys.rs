//! Key shares: stored forms, additive shares, dealing and reconstruction.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use quorate_cggmp::curves::Secret;
use quorate_cggmp::single_point_of_failure::{ExportError, ImportError, export, import};
use quorate_cggmp::{
    CommitteeError, DecodeError, EcdsaCurve, KeyShare, MAX_PARTIES, Mismatch, PublicKeyPackage,
    ShareState, SignersError, keys::DecodeError as Stored,
};
use quorate_session::container::{ContainerError, DIGEST, HEADER};
use quorate_session::wire::ReadError;
use quorate_session::{Parties, Transcript};
use quorate_testkit::Stuck;
use quorate_testkit::lockstep::id;

fn dealt<C: EcdsaCurve>(seed: u8, t: u16, parties: &[u16]) -> Vec<KeyShare<C>> {
    let parties = Parties::new(parties.iter().map(|number| id(*number))).unwrap();
    let secret = Secret::new(C::Scalar::from(1000 + u64::from(seed)));
    let mut rng = quorate_testkit::rng(seed);
    import(secret, None, t, &parties, &mut rng).unwrap()
}

/// Makes the digest at the end fit again, as an attacker would that wants more than damage.
fn sealed<C: EcdsaCurve>(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - DIGEST);
    if let Some(body) = bytes.len().checked_sub(HEADER) {
        bytes[HEADER - 4..HEADER].copy_from_slice(&u32::try_from(body).unwrap().to_be_bytes());
    }
    let mut transcript = Transcript::new("quorate stored form");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("family", C::FAMILY.as_bytes());
    transcript.append("bytes", &bytes);
    bytes.extend_from_slice(&transcript.finish32());
    bytes
}

fn stored_forms<C: EcdsaCurve>() {
    for share in dealt::<C>(1, 2, &[5, 6, 900]) {
        let bytes = share.to_bytes();
        let again = KeyShare::<C>::from_bytes(&bytes, share.public()).unwrap();
        assert_eq!(*again.to_bytes(), *bytes);
        assert_eq!((again.id(), again.public()), (share.id(), share.public()));
        assert_eq!(again.state(), ShareState::Ready);
        let bytes = share.public().to_bytes();
        let again = PublicKeyPackage::<C>::from_bytes(&bytes).unwrap();
        assert_eq!(again, *share.public());
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.package_id(), share.public().package_id());
    }
}

/// Every bit of a stored share, flipped; every shorter and some longer strings.
fn damaged_forms<C: EcdsaCurve>() {
    let share = &dealt::<C>(1, 2, &[5, 6, 900])[1];
    let open = |bytes: &[u8]| KeyShare::<C>::from_bytes(bytes, share.public());
    let bytes = share.to_bytes().to_vec();
    let info = share.public().to_bytes();
    for at in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert!(open(&damaged).is_err(), "bit {at}");
    }
    for at in 0..info.len() * 8 {
        let mut damaged = info.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert!(PublicKeyPackage::<C>::from_bytes(&damaged).is_err(), "bit {at}");
    }
    for length in 0..bytes.len() {
        assert!(open(&bytes[..length]).is_err());
        let cut = sealed::<C>([&bytes[..length], &[0; 32]].concat());
        assert!(open(&cut).is_err() || length == bytes.len() - 32);
    }
    let longer = [&bytes[..bytes.len() - 32], &[0; 33]].concat();
    let error = DecodeError::Key(Stored::Body(ReadError::TrailingBytes));
    assert_eq!(open(&sealed::<C>(longer)).unwrap_err(), error);
}

/// The order as a scalar, which is not canonical.
fn order<C: EcdsaCurve>() -> [u8; 32] {
    let bytes = C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes());
    bytes.collect::<Vec<_>>().try_into().unwrap()
}

/// Each field of a share altered, with a digest that fits.
fn altered_shares<C: EcdsaCurve>() {
    use ContainerError::*;
    use Stored::*;
    let shares = dealt::<C>(1, 2, &[5, 6, 900]);
    let share = &shares[1];
    let bytes = share.to_bytes().to_vec();
    // party 2, key 32, epoch 4, digest 32, state 1, public share 33, secret 32.
    let [party, key, epoch, package, state, public] = [0, 2, 34, 38, 70, 71].map(|at| HEADER + at);
    let secret = public + 33;
    assert_eq!(bytes.len(), secret + 32 + 32);
    let with = |at: usize, new: &[u8]| {
        let mut altered = bytes.clone();
        altered[at..at + new.len()].copy_from_slice(new);
        KeyShare::<C>::from_bytes(&sealed::<C>(altered), share.public()).map(|_| ()).unwrap_err()
    };
    let other = if C::CODE == 4 { 5 } else { 4 };
    let kind = |got| WrongKind { expected: "a share of a key", got };
    for (at, new, error) in [
        (4, 2, NewerVersion { expected: 1, got: 2 }),
        (5, 66, kind(66)),
        (5, 33, kind(33)),
        (6, other, WrongCurve { expected: C::NAME, got: other }),
        (7, 32 + other, WrongFamily { expected: C::FAMILY, got: 32 + other }),
    ] {
        assert_eq!(with(at, &[new]), DecodeError::Key(Container(error)), "{at} {new}");
    }
    let foreign = Inconsistent("the secret is not that of the verifying share");
    let generator = C::encode_point(&C::generator());
    for (at, new, error) in [
        (party, &[0, 0][..], BadOrder),
        (state, &[1], BadState(1)),
        (state, &[3], BadState(3)),
        (public, &generator, foreign),
        (secret, &[0; 32], BadScalar),
        (secret, &[0xff; 32], BadScalar),
        (secret, &order::<C>(), BadScalar),
    ] {
        assert_eq!(with(at, new), DecodeError::Key(error), "{at} {new:?}");
    }
    for (at, new, why) in [
        (party, &[0, 7][..], Mismatch::WrongPackage { epoch: 0 }),
        (party, &[0, 5], Mismatch::WrongPackage { epoch: 0 }),
        (key, &[bytes[key] ^ 1], Mismatch::WrongKey),
        (epoch, &[0, 0, 0, 9], Mismatch::WrongEpoch { expected: 0, got: 9 }),
        (package, &[bytes[package] ^ 1], Mismatch::WrongPackage { epoch: 0 }),
    ] {
        assert_eq!(with(at, new), DecodeError::Mismatch(why), "{at} {new:?}");
    }
    let another = dealt::<C>(2, 2, &[5, 6, 900]);
    let error = KeyShare::<C>::from_bytes(&bytes, another[0].public()).unwrap_err();
    assert_eq!(error, DecodeError::Mismatch(Mismatch::WrongKey));
}

/// Each field of the public side altered, with a digest that fits.
fn altered_infos<C: EcdsaCurve>() {
    use ContainerError::*;
    use Stored::*;
    let share = &dealt::<C>(1, 2, &[5, 6, 900])[1];
    let bytes = share.public().to_bytes();
    // epoch 4, threshold 2, count 2, parties 3·2, points 2·33, chain code 32, rid 32.
    let [epoch, threshold, count, parties, points] = [0, 4, 6, 8, 14].map(|at| HEADER + at);
    let chain_code = points + 66;
    assert_eq!(bytes.len(), chain_code + 64 + 32);
    let with = |at: usize, new: &[u8]| {
        let mut altered = bytes.clone();
        altered[at..at + new.len()].copy_from_slice(new);
        PublicKeyPackage::<C>::from_bytes(&sealed::<C>(altered))
    };
    let committee =
        |threshold, parties| Committee(CommitteeError::Threshold { threshold, parties });
    let too_many = |got| Committee(CommitteeError::TooMany { most: MAX_PARTIES, got });
    let kind = Container(WrongKind { expected: "the public side of a key", got: 65 });
    for (at, new, error) in [
        (4, &[2][..], Container(NewerVersion { expected: 1, got: 2 })),
        (5, &[65], kind),
        (threshold, &[0, 0], committee(0, 3)),
        (threshold, &[0, 1], committee(1, 3)),
        (threshold, &[0, 4], committee(4, 3)),
        (count, &[0, 129], too_many(129)),
        (count, &[255, 255], too_many(65_535)),
        (parties, &[0, 0], BadOrder),
        (parties, &[0, 6], BadOrder),
        (parties, &[0, 9], BadOrder),
        (points, &[0; 33], BadPoint),
        (points + 33, &[0; 33], BadPoint),
        (points, &[4], BadPoint),
    ] {
        assert_eq!(with(at, new).unwrap_err(), DecodeError::Key(error), "{at} {new:?}");
    }
    // An altered field without a check of its own makes another package, which no share names.
    for at in [epoch + 3, chain_code, chain_code + 32] {
        let other = with(at, &[bytes[at] ^ 1]).unwrap();
        assert_ne!(other.package_id(), share.public().package_id());
        let error = KeyShare::<C>::from_bytes(&share.to_bytes(), &other).unwrap_err();
        assert!(matches!(error, DecodeError::Mismatch(_)), "{at}");
    }
}

/// Every set of at least t signers has shares that add up to the key.
fn additive_shares<C: EcdsaCurve>() {
    let numbers = [1, 4, 9, 60000, 65535];
    let shares = dealt::<C>(2, 3, &numbers);
    let info = shares[0].public();
    for mask in 0u32..32 {
        let chosen: Vec<usize> = (0..5).filter(|bit| mask >> bit & 1 == 1).collect();
        let Ok(signers) = Parties::new(chosen.iter().map(|at| id(numbers[*at]))) else { continue };
        if chosen.len() < 3 {
            let error = SignersError::TooFew { got: 2, need: 3 };
            assert_eq!(info.additive(&signers).unwrap_err(), error);
            continue;
        }
        let public = info.additive(&signers).unwrap();
        let mut sum = C::Scalar::default();
        for (at, share) in shares.iter().enumerate() {
            if !chosen.contains(&at) {
                assert_eq!(share.additive(&signers).unwrap_err(), SignersError::NotASigner);
                assert!(public.share_point(share.id()).is_none());
                continue;
            }
            let additive = share.additive(&signers).unwrap();
            assert_eq!(additive.id(), share.id());
            assert_eq!(*additive.info(), public);
            let point = C::mul_base(additive.secret().expose());
            assert!(public.share_point(share.id()) == Some(&point));
            sum = sum + *additive.secret().expose();
        }
        assert!(sum == C::Scalar::from(1002));
    }
    let strangers = Parties::new([1, 4, 5].map(id)).unwrap();
    let error = SignersError::Unknown(id(5));
    assert_eq!(shares[0].additive(&strangers).unwrap_err(), error);
}

fn imports_and_exports<C: EcdsaCurve>() {
    let shares = dealt::<C>(3, 2, &[1, 2, 3]);
    assert!(*export(&shares).unwrap().expose() == C::Scalar::from(1003));
    assert!(*export(&shares[1..]).unwrap().expose() == C::Scalar::from(1003));
    let error = ExportError::TooFew { got: 1, need: 2 };
    assert_eq!(export(&shares[..1]).unwrap_err(), error);
    assert!(export::<C>(&[]).is_err());
    let again = KeyShare::from_bytes(&shares[0].to_bytes(), shares[0].public()).unwrap();
    let mut mixed = shares;
    mixed.push(again);
    assert_eq!(export(&mixed).unwrap_err(), ExportError::Duplicate(id(1)));
    mixed.pop();
    mixed.extend(dealt::<C>(4, 2, &[1, 2, 3]).pop());
    let other = ExportError::Mismatch { party: id(3), why: Mismatch::WrongKey };
    assert_eq!(export(&mixed).unwrap_err(), other);
}

fn dealing_is_checked<C: EcdsaCurve>() {
    let mut rng = quorate_testkit::rng(1);
    let mut try_deal = |secret: u64, t, n| {
        let parties = Parties::numbered(n).unwrap();
        import::<C>(Secret::new(secret.into()), Some([8; 32]), t, &parties, &mut rng)
    };
    let committee = |why| ImportError::Refused(Stored::Committee(why));
    let threshold = |threshold| committee(CommitteeError::Threshold { threshold, parties: 2 });
    assert_eq!(try_deal(1, 1, 2).unwrap_err(), threshold(1));
    assert_eq!(try_deal(1, 3, 2).unwrap_err(), threshold(3));
    assert_eq!(try_deal(0, 2, 2).unwrap_err(), ImportError::ZeroKey);
    assert_eq!(
        try_deal(1, 2, 129).unwrap_err(),
        committee(CommitteeError::TooMany { most: 128, got: 129 })
    );
    let shares = try_deal(1, 2, u16::try_from(MAX_PARTIES).unwrap()).unwrap();
    let (secret, parties) = (Secret::new(C::Scalar::from(1)), Parties::numbered(3).unwrap());
    let zeros = import::<C>(secret, None, 2, &parties, &mut Stuck::at(0));
    assert_eq!(zeros.unwrap_err(), ImportError::Randomness);
    assert_eq!(*shares[0].public().chain_code(), [8; 32]);
    assert!(*shares[0].verifying_key().point() == C::generator());
}

/// A secret prints as its type.
fn secrets_do_not_print<C: EcdsaCurve>() {
    let share = &dealt::<C>(3, 2, &[1, 2, 3])[0];
    assert_eq!(format!("{share:?}"), "KeyShare { .. }");
    let additive = share.additive(share.public().parties()).unwrap();
    assert_eq!(format!("{additive:?}"), "AdditiveShare { .. }");
}

quorate_testkit::curve_tests!(
    stored_forms,
    damaged_forms,
    altered_shares,
    altered_infos,
    additive_shares,
    imports_and_exports,
    dealing_is_checked,
    secrets_do_not_print
);
