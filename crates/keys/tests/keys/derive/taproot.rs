//! BIP-86: output keys below an account, from its extended key and from shares.

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_keys::derive::{DeriveError, ExtendedKey, Network, Shifted, TaprootKey, tap_tweak};
use quorate_keys::session::wire::Reader;
use quorate_keys::{Family, KeyTypes, PointBytes, SecretShare, ShareState, SharedKey};
use quorate_sharing::Polynomial;
use quorate_testkit::{hex, unhex};

use super::{groups, path, shares::whole};
use crate::group::{committee, id, rng};

/// A family of even keys.
macro_rules! even {
    ($name:ident, $code:literal, $to:expr) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        struct $name;

        impl Family for $name {
            type Curve = Secp256k1;
            type Extra = ();

            const NAME: &'static str = stringify!($name);
            const CODE: u8 = $code;
            const SHIFTS_TO: &'static [&'static str] = $to;

            fn put_extra(_: &(), _: &mut Vec<u8>) {}

            fn read_extra(_: &mut Reader<'_>) -> Option<()> {
                Some(())
            }

            fn accepts(key: &PointBytes<Self>) -> bool {
                key[0] == 2
            }
        }

        impl KeyTypes for $name {
            type Public = SharedKey<Self>;
            type Share = SecretShare<Self>;

            fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
                shared
            }

            fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
                share
            }
        }
    };
}

even!(Internal, 201, &["Output"]);
even!(Output, 202, &[]);

type Scalar = <Secp256k1 as Curve>::Scalar;
type Point = <Secp256k1 as Curve>::Point;

fn lift_x(x: &[u8]) -> Point {
    Secp256k1::decode_point(&[&[2], x].concat()).unwrap()
}

fn is_even(point: &Point) -> bool {
    Secp256k1::encode_point(point)[0] == 2
}

/// The sharing of a secret, or of its negative if that has the even key.
fn shared(secret: Scalar, seed: u64) -> (SharedKey<Internal>, Vec<SecretShare<Internal>>) {
    let secret = if is_even(&Secp256k1::mul_base(&secret)) { secret } else { -secret };
    let f = Polynomial::<Secp256k1>::with_constant(&secret, 2, &mut rng(seed)).unwrap();
    let public = SharedKey::new(committee(&[1, 2, 3], 2), 0, f.commit(), ()).unwrap();
    let share = |party| {
        let secret = Secret::new(f.evaluate(id(party)));
        SecretShare::new(id(party), &public, secret, ShareState::Ready).unwrap()
    };
    let shares = [1, 2, 3].map(share).into();
    (public, shares)
}

/// Moves the shares to the output key. Any two give its secret.
fn moves(shares: &[SecretShare<Internal>], by: &Shifted<Internal, Output>) {
    let shares: Vec<_> = shares.iter().map(|share| share.shift(by).unwrap()).collect();
    for two in [[0, 1], [0, 2], [1, 2]] {
        let two = two.map(|at| (shares[at].id().get(), shares[at].secret()));
        assert!(Secp256k1::mul_base(&whole::<Secp256k1>(&two)) == *by.key().key());
    }
}

/// The account of the vectors has an odd key. The key that is shared is its negative, and derives the same
/// children.
#[test]
fn bip86() {
    let lines = groups(include_str!("data/bip86.txt")).concat();
    let account = ExtendedKey::from_xpub(lines[0][1], Network::Main).unwrap();
    assert!(!is_even(account.key()) && account.depth() == 3);
    let secret = unhex("9043214d33a3c162a9a825d26b2a1c381455a72306ed17857f55ea65b7dd20da");
    let secret = Secp256k1::decode_scalar(&secret).unwrap();
    assert!(Secp256k1::mul_base(&secret) == *account.key());
    let (public, shares) = shared(secret, 1);

    assert_eq!(lines.len(), 4);
    for line in &lines[1..] {
        let path = path(line[0]);
        assert_eq!(account.derive(&path).unwrap().to_xpub(Network::Main), line[1]);
        let key = TaprootKey::new(&account.derivation(&path).unwrap(), None).unwrap();
        assert_eq!((hex(key.internal()), hex(key.output())), (line[2].into(), line[3].into()));
        assert_eq!(hex(&key.script_pubkey()), ["5120", line[3]].concat());

        let output = public.derive_taproot(&account, &path, None, ()).unwrap();
        assert!(*output.key().key() == lift_x(key.output()));
        moves(&shares, &output);
    }
}

/// Q = P + H_TapTweak(P ‖ root)·G over even P, for every sign of the account, the child and Q.
#[test]
fn output_keys_are_right_for_every_sign() {
    let mut seen = std::collections::BTreeSet::new();
    for number in 1..=12 {
        let secret = Scalar::from(number);
        let account =
            ExtendedKey::<Secp256k1>::root(Secp256k1::mul_base(&secret), [3; 32]).unwrap();
        let (public, shares) = shared(secret, number);
        let path = path("m/1/7");
        let root = (number % 2 == 1).then_some([8; 32]);
        let child = account.derivation(&path).unwrap();
        let internal = if is_even(&child.key) { child.key } else { -child.key };
        let [_, x @ ..] = Secp256k1::encode_point(&internal);
        let tweak = tap_tweak(&x, root.as_ref()).unwrap();
        let expected = internal + Secp256k1::mul_base(&tweak);

        let key = TaprootKey::new(&child, root.as_ref()).unwrap();
        assert_eq!(*key.internal(), x);
        assert_eq!(key.output()[..], Secp256k1::encode_point(&expected)[1..]);
        let shifted = *account.key() + Secp256k1::mul_base(key.shift());
        assert!(shifted == expected || shifted == -expected);
        let output = public.derive_taproot(&account, &path, root.as_ref(), ()).unwrap();
        assert!(*output.key().key() == lift_x(key.output()));
        moves(&shares, &output);
        seen.insert((is_even(account.key()), is_even(&child.key), is_even(&expected)));
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
}

/// The group's own extended key is even. It is the account's if that is even.
#[test]
fn the_root_is_even() {
    let (public, _) = shared(Scalar::from(11), 1);
    let root = public.extended_key(public.public_chain_code());
    assert!(is_even(root.key()));
    assert!(root.to_xpub(Network::Main).starts_with("xpub661MyMwAqRb"));
    let (other, _) = shared(Scalar::from(12), 1);
    let refused = other.derive_taproot::<Output>(&root, &path("m/0/0"), None, ());
    assert_eq!(refused.unwrap_err(), DeriveError::OtherKey);
}
