//! Stored forms: a stored value opens as it was, and nothing else opens.

use quorate_curve::{Curve, Ed25519, P256, Secp256k1, Secret};
use quorate_keys::session::container::{ContainerError, DIGEST, HEADER};
use quorate_keys::session::wire::{ReadError, Reader};
use quorate_keys::session::{Parties, Transcript};
use quorate_keys::{
    Committee, CommitteeError, DecodeError, Family, KeyTypes, SecretShare, ShareState, SharedKey,
};
use quorate_sharing::Commitment;

use crate::group::{Key, Of, committee, copy, id};

/// The bytes with another body, inside a valid container.
pub fn with_body<C: Curve>(bytes: &[u8], body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_be_bytes();
    resealed::<C>(&[&bytes[..HEADER - 4], &length, body].concat())
}

/// The bytes with a digest that fits.
fn resealed<C: Curve>(bytes: &[u8]) -> Vec<u8> {
    let mut transcript = Transcript::new("quorate stored form");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("family", C::NAME.as_bytes());
    transcript.append("bytes", bytes);
    [bytes, &transcript.finish32()].concat()
}

/// The body of a stored form.
pub fn body(bytes: &[u8]) -> &[u8] {
    &bytes[HEADER..bytes.len() - DIGEST]
}

/// The bytes with a field of the body changed, and a digest that fits.
pub fn altered<C: Curve>(bytes: &[u8], at: usize, to: &[u8]) -> Vec<u8> {
    let mut body = body(bytes).to_vec();
    body[at..at + to.len()].copy_from_slice(to);
    with_body::<C>(bytes, &body)
}

/// The place of the state in the body of a share.
pub const STATE: usize = 2 + 68;

type Shared<C> = SharedKey<Of<C>>;
type Share<C> = SecretShare<Of<C>>;

fn what_is_opened_is_what_was_stored<C: Curve>() {
    for (numbers, t) in [(&[1, 2][..], 2), (&[1, 2, 3], 2), (&[4, 9, 65_535], 3)] {
        let mut key = Key::<C>::dealt(numbers, t, 3);
        for _ in 0..2 {
            let bytes = key.public.to_bytes();
            let opened = Shared::<C>::from_bytes(&bytes).unwrap();
            assert!(opened == key.public && opened.to_bytes() == bytes);
            assert_eq!(opened.package_id(), key.public.package_id());
            for share in key.shares.values() {
                let bytes = share.to_bytes();
                let opened = Share::<C>::from_bytes(&bytes).unwrap();
                assert_eq!(*opened.to_bytes(), *bytes);
                assert_eq!((opened.state(), opened.id()), (share.state(), share.id()));
                opened.check_belongs_to(&key.public).unwrap();
            }
            key = key.reshared(&numbers[..usize::from(t)], numbers, t, 3);
        }
    }
}

/// Every bit, every length.
fn damage_is_found<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let (public, share) = (key.public.to_bytes(), key.shares[&1].to_bytes());
    let refused = |bytes: &[u8]| {
        Shared::<C>::from_bytes(bytes).is_err() && Share::<C>::from_bytes(bytes).is_err()
    };
    for bytes in [&public[..], &share] {
        for length in 0..bytes.len() {
            assert!(refused(&bytes[..length]));
        }
        assert!(refused(&[bytes, &[0]].concat()));
        for at in 0..bytes.len() {
            let mut changed = bytes.to_vec();
            changed[at] ^= 1 << (at % 8);
            assert!(refused(&changed));
        }
    }
}

/// Changes that only an author who also writes the digest can make.
fn every_field_is_checked<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let bytes = key.public.to_bytes();
    let open = |bytes: &[u8]| Shared::<C>::from_bytes(bytes).map(drop).unwrap_err();
    let point = size_of::<C::PointBytes>();
    for t in [0u16, 1, 4] {
        let why = CommitteeError::Threshold { threshold: t, parties: 3 };
        assert_eq!(open(&altered::<C>(&bytes, 4, &t.to_be_bytes())), DecodeError::Committee(why));
    }
    // One point short: the reader takes the bytes after the commitment.
    assert!(matches!(
        open(&altered::<C>(&bytes, 4, &[0, 3])),
        DecodeError::BadPoint | DecodeError::Body(ReadError::Truncated)
    ));
    let why = CommitteeError::TooMany { most: 100, got: 65_535 };
    assert_eq!(open(&altered::<C>(&bytes, 6, &[255, 255])), DecodeError::Committee(why));
    for wrong in [[0, 0, 0, 2], [0, 2, 0, 2], [0, 3, 0, 2]] {
        assert_eq!(open(&altered::<C>(&bytes, 8, &wrong)), DecodeError::BadOrder);
    }
    for at in [14, 14 + point] {
        let neutral = C::encode_point(&C::identity());
        assert_eq!(open(&altered::<C>(&bytes, at, neutral.as_ref())), DecodeError::BadPoint);
        assert_eq!(open(&altered::<C>(&bytes, at, &vec![0xff; point])), DecodeError::BadPoint);
    }
    let longer = [body(&bytes), &[0]].concat();
    let why = DecodeError::Body(ReadError::TrailingBytes);
    assert_eq!(open(&with_body::<C>(&bytes, &longer)), why);
    let shorter = &body(&bytes)[..body(&bytes).len() - 1];
    let why = DecodeError::Body(ReadError::Truncated);
    assert_eq!(open(&with_body::<C>(&bytes, shorter)), why);
    // Another epoch is another package: its shares are not of this one.
    let other = Shared::<C>::from_bytes(&altered::<C>(&bytes, 0, &[0, 0, 0, 7])).unwrap();
    assert!(key.shares[&1].check_belongs_to(&other).is_err());
}

fn every_field_of_a_share_is_checked<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let bytes = key.shares[&1].to_bytes();
    let open = |bytes: &[u8]| Share::<C>::from_bytes(bytes).map(drop).unwrap_err();
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    assert_eq!(open(&altered::<C>(&bytes, 0, &[0, 0])), DecodeError::BadOrder);
    let state = STATE;
    // Pending in epoch 0, and bytes that are not a state.
    for wrong in [1, 3, 255] {
        assert_eq!(open(&altered::<C>(&bytes, state, &[wrong])), DecodeError::BadState(wrong));
    }
    let zero = altered::<C>(&bytes, state + 1, C::encode_point(&C::identity()).as_ref());
    let zero = altered::<C>(&zero, state + 1 + point, &vec![0; scalar]);
    assert_eq!(open(&zero), DecodeError::BadScalar);
    assert_eq!(
        open(&altered::<C>(&bytes, state + 1 + point, &vec![0xff; scalar])),
        DecodeError::BadScalar
    );
    let another = C::encode_scalar(&C::Scalar::from(7));
    let why = open(&altered::<C>(&bytes, state + 1 + point, another.as_ref()));
    assert!(matches!(why, DecodeError::Inconsistent(_)));
    let why = open(&altered::<C>(&bytes, state + 1, C::encode_point(&C::generator()).as_ref()));
    assert!(matches!(why, DecodeError::Inconsistent(_)));
    // A share in the name of another party, or altered to name a package to which it does not belong.
    let stolen = Share::<C>::from_bytes(&altered::<C>(&bytes, 0, &[0, 2])).unwrap();
    assert!(stolen.check_belongs_to(&key.public).is_err());
    let other = Key::<C>::dealt(&[1, 2, 3], 2, 4);
    let theirs = other.shares[&1].to_bytes();
    let renamed = Share::<C>::from_bytes(&altered::<C>(&bytes, 2, &body(&theirs)[2..70])).unwrap();
    assert!(
        renamed.package_id() == other.public.package_id()
            && renamed.check_belongs_to(&other.public).is_err()
    );
}

/// Neutral points are refused in every place.
fn neutral_points_are_refused<C: Curve>() {
    let points = |coefficients: [u64; 2]| {
        Commitment::<C>::from_points(
            coefficients.map(|one| C::mul_base(&C::Scalar::from(one))).to_vec(),
        )
    };
    let new =
        |commitment| Shared::<C>::new(committee(&[1, 2, 3], 2), 0, commitment, [0; 32]).map(drop);
    assert_eq!(new(points([3, 4])), Ok(()));
    assert_eq!(new(points([0, 4])), Err(DecodeError::BadPoint));
    assert_eq!(new(points([3, 0])), Err(DecodeError::BadPoint));
    // f(2) = 0
    let zero = [C::generator() + C::generator(), -C::generator()];
    let zero = Commitment::<C>::from_points(zero.to_vec());
    assert!(matches!(new(zero), Err(DecodeError::Inconsistent(_))));
    let long = Commitment::<C>::from_points(vec![C::generator(); 3]);
    assert!(matches!(new(long), Err(DecodeError::Inconsistent(_))));
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let share = |party, value: C::Scalar| {
        Share::<C>::new(id(party), &key.public, Secret::new(value), ShareState::Ready)
    };
    let right = *key.shares[&1].secret().expose();
    assert!(share(1, right).is_ok());
    for (party, value) in
        [(1, C::Scalar::default()), (1, right + C::Scalar::from(1)), (2, right), (4, right)]
    {
        assert!(matches!(share(party, value), Err(DecodeError::Inconsistent(_))));
    }
}

/// A key from its verifying shares, as others store it.
fn from_verifying_shares<C: Curve>() {
    for (numbers, t) in
        [(&[1, 2][..], 2), (&[2, 3, 7, 9], 2), (&[2, 3, 7, 60_000], 3), (&[1, 2, 3, 4, 5], 5)]
    {
        let key = Key::<C>::dealt(numbers, t, 3);
        let points: Vec<_> =
            numbers.iter().map(|one| *key.public.share_point(id(*one)).unwrap()).collect();
        let from = |t, key: &C::Point, points: &[C::Point]| {
            Shared::<C>::from_shares(committee(numbers, t), 0, key, points, [9; 32])
        };
        assert!(from(t, key.public.key(), &points).unwrap() == key.public);
        let mut wrong = points.clone();
        let last = wrong.len() - 1;
        wrong[last] = wrong[last] + C::generator();
        assert!(from(t, key.public.key(), &wrong).is_err());
        assert!(from(t, &C::generator(), &points).is_err());
        assert!(from(t, key.public.key(), &points[1..]).is_err());
        if t > 2 {
            assert!(from(t - 1, key.public.key(), &points).is_err());
        }
        if usize::from(t) < numbers.len() {
            assert!(from(t + 1, key.public.key(), &points).is_err());
        }
    }
}

every_curve! {
    what_is_opened_is_what_was_stored damage_is_found every_field_is_checked every_field_of_a_share_is_checked
    neutral_points_are_refused from_verifying_shares
}

/// Each way in which a file can differ from the expected one has an error of its own.
#[test]
fn every_wrong_container_has_its_own_error() {
    let key = Key::<P256>::dealt(&[1, 2, 3], 2, 3);
    let bytes = key.public.to_bytes();
    let open = |bytes: &[u8]| match Shared::<P256>::from_bytes(bytes).map(drop) {
        Err(DecodeError::Container(why)) => why,
        other => panic!("{other:?}"),
    };
    let with = |at: usize, to: u8| {
        let mut bytes = bytes[..bytes.len() - DIGEST].to_vec();
        bytes[at] = to;
        open(&resealed::<P256>(&bytes))
    };
    let all = bytes.len();
    assert_eq!(with(0, b'q'), ContainerError::NotAContainer);
    assert_eq!(with(4, 0), ContainerError::OlderVersion { expected: 1, got: 0 });
    assert_eq!(with(4, 2), ContainerError::NewerVersion { expected: 1, got: 2 });
    let why = ContainerError::WrongKind { expected: "the public side of a key", got: 65 };
    assert_eq!(open(&key.shares[&1].to_bytes()), why);
    assert_eq!(with(6, 1), ContainerError::WrongCurve { expected: "P-256", got: 1 });
    assert_eq!(with(7, 99), ContainerError::WrongFamily { expected: "P-256", got: 99 });
    for got in [all - 1, HEADER + DIGEST, HEADER] {
        assert_eq!(open(&bytes[..got]), ContainerError::Truncated { expected: all, got });
    }
    for got in [0, 4, HEADER - 1] {
        let why = ContainerError::Truncated { expected: HEADER + DIGEST, got };
        assert_eq!(open(&bytes[..got]), why);
    }
    let longer = [&bytes[..], &[0]].concat();
    let why = ContainerError::TrailingBytes { expected: all, got: all + 1 };
    assert_eq!(open(&longer), why);
    let mut altered = bytes.clone();
    altered[HEADER] ^= 1;
    assert_eq!(open(&altered), ContainerError::Damaged);
    // A length beyond all bytes, and beyond all memory.
    let mut long = bytes.clone();
    long[8..HEADER].fill(0xff);
    let expected = (u32::MAX as usize).saturating_add(HEADER + DIGEST);
    assert_eq!(open(&long), ContainerError::Truncated { expected, got: all });
    let texts = [
        (with(6, 1), "expected an object over P-256, got one over Ed25519"),
        (with(4, 2), "stored in format version 2 by a later release, this one opens up to 1"),
        (open(&bytes[..40]), "expected 156 bytes, got 40: the end is missing"),
    ];
    for (why, text) in texts {
        assert_eq!(why.to_string(), text);
    }
}

/// Of one curve, of no other.
#[test]
fn families_do_not_mix() {
    let key = Key::<P256>::dealt(&[1, 2, 3], 2, 3);
    let why = DecodeError::Container(ContainerError::WrongCurve { expected: "secp256k1", got: 4 });
    assert_eq!(Shared::<Secp256k1>::from_bytes(&key.public.to_bytes()).map(drop), Err(why));
    assert_eq!(Share::<Secp256k1>::from_bytes(&key.shares[&1].to_bytes()).map(drop), Err(why));
}

/// A family with the code of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Twin;

impl Family for Twin {
    type Curve = P256;
    type Extra = [u8; 32];

    const NAME: &'static str = "another use of P-256";
    const CODE: u8 = Of::<P256>::CODE;

    fn put_extra(extra: &[u8; 32], bytes: &mut Vec<u8>) {
        Of::<P256>::put_extra(extra, bytes);
    }

    fn read_extra(reader: &mut Reader<'_>) -> Option<[u8; 32]> {
        Of::<P256>::read_extra(reader)
    }
}

impl KeyTypes for Twin {
    type Public = SharedKey<Self>;
    type Share = SecretShare<Self>;

    fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
        shared
    }

    fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
        share
    }
}

/// The name decides, not the code.
#[test]
fn twins_do_not_mix() {
    let key = Key::<P256>::dealt(&[1, 2, 3], 2, 3);
    let public = SharedKey::<Twin>::from_bytes(&key.public.to_bytes()).map(drop);
    let share = SecretShare::<Twin>::from_bytes(&key.shares[&1].to_bytes()).map(drop);
    let why = DecodeError::Container(ContainerError::Damaged);
    assert_eq!((public, share), (Err(why), Err(why)));
    let (committee, commitment) = (key.public.committee().clone(), key.public.commitment().clone());
    let twin = SharedKey::<Twin>::new(committee, 0, commitment, *key.public.extra()).unwrap();
    assert_ne!(twin.package_id().key_id(), key.public.package_id().key_id());
}

/// No type that holds a secret prints it.
#[test]
fn secrets_are_not_printed() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 3);
    let plan = key.plan(&[1, 2], &[2, 3], 2);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let secret = Ed25519::encode_scalar(key.shares[&1].secret().expose());
    let printed = [
        format!("{:?}", copy(&key.shares[&1])),
        format!("{:?}", key.part(&plan, id(1))),
        format!("{:?}", key.repair_part(&[1, 2], 3, id(1))),
    ];
    for text in printed {
        assert!(
            !text.contains(&hex(secret.as_ref()))
                && !text.contains(&format!("{:?}", secret.as_ref())),
            "{text}"
        );
    }
}

/// t·n at the bound, and above it.
#[test]
fn committees_are_bounded_by_steps() {
    assert_eq!(Committee::MOST_STEPS, 1 << 24);
    let numbered = |n: u16| Parties::new((1..=n).map(id)).unwrap();
    for (t, n, most) in
        [(4096, 4096, true), (256, 65535, true), (4096, 4097, false), (257, 65535, false)]
    {
        let got = u64::from(t) * u64::from(n);
        assert_eq!(got <= Committee::MOST_STEPS, most);
        let too_large = CommitteeError::TooLarge { most: Committee::MOST_STEPS, got };
        let made = Committee::new(numbered(n), t);
        assert_eq!(made.as_ref().err(), (!most).then_some(&too_large));
    }
}
