//! Scalars and points of every curve, against independent implementations.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test panics where it fails, and its own inputs are in range"
)]

#[path = "common/oracle.rs"]
mod common;

use chacha20::rand_core::Rng;
use common::{Oracle, for_every_curve, rng};
use quorate_curve::{
    Curve, Ed448, Ed25519, P256, RandomnessError, Ristretto255, Secp256k1, Secret, batch_invert,
    random_nonzero_scalar, random_scalar,
};
use quorate_testkit::Stuck;
use zeroize::Zeroize;

/// Zero, one, the largest, powers of two around limb and window bounds, and random ones.
fn scalars<C: Curve>() -> Vec<C::Scalar> {
    let one = C::Scalar::from(1);
    let mut all =
        vec![C::Scalar::default(), one, -one, C::Scalar::from(2), C::Scalar::from(u64::MAX)];
    let mut power = one;
    for bit in 0..64 * C::ORDER.len() {
        if matches!(bit % 64, 0 | 1 | 31 | 32 | 63) {
            all.extend([power, power - one, -power]);
        }
        power = power + power;
    }
    // Either side of half the order, and simple fractions.
    let half = C::invert(&C::Scalar::from(2));
    all.extend([half, half - one, half + one, C::invert(&C::Scalar::from(3)), -half]);
    // All windows full, and all windows just over half: the carries run to the top.
    for pattern in [u64::MAX, 0x8888_8888_8888_8888, 0xcccc_cccc_cccc_cccc, 0x1084_2108_4210_8421] {
        let mut limbs = [0; 8];
        limbs[..C::ORDER.len() - 1].fill(pattern);
        all.push(C::scalar_from_limbs(&limbs));
        limbs[C::ORDER.len() - 1] = C::ORDER[C::ORDER.len() - 1] >> 1;
        all.push(C::scalar_from_limbs(&limbs));
    }
    let mut rng = rng(1);
    all.extend((0..20).map(|_| random_scalar::<C>(&mut rng)));
    all
}

fn same_scalar<C: Oracle>(ours: &C::Scalar, theirs: C::Number) {
    assert_eq!(C::encode_scalar(ours).as_ref(), C::bytes(theirs));
}

fn same_point<C: Oracle>(ours: &C::Point, theirs: &[u8]) {
    if C::is_identity(ours) {
        assert!(!C::accepts(theirs));
        assert_eq!(*ours, C::identity());
    } else {
        assert_eq!(C::encode_point(ours).as_ref(), theirs);
    }
}

fn scalar_arithmetic<C: Oracle>() {
    let all = scalars::<C>();
    let (zero, one) = (C::small(0), C::small(1));
    let minus_one = C::numbered(&-C::Scalar::from(1));
    for a in &all {
        let their_a = C::numbered(a);
        same_scalar::<C>(&-*a, C::plus_times(zero, minus_one, their_a));
        for b in &all {
            let their_b = C::numbered(b);
            same_scalar::<C>(&(*a + *b), C::plus_times(their_a, one, their_b));
            same_scalar::<C>(&(*a - *b), C::plus_times(their_a, minus_one, their_b));
            same_scalar::<C>(&(*a * *b), C::plus_times(zero, their_a, their_b));
        }
        if *a == C::Scalar::default() {
            assert!(C::invert(a) == *a);
        } else {
            same_scalar::<C>(&C::invert(a), C::inverse(their_a));
        }
    }
}

fn scalar_from_u64<C: Oracle>() {
    for value in [0, 1, 255, 256, u64::from(u32::MAX), 1 << 32, u64::MAX] {
        let theirs = value.to_be_bytes().iter().fold(C::small(0), |sum, byte| {
            let sixteen = C::small(16);
            let shifted =
                C::plus_times(C::small(0), C::plus_times(C::small(0), sum, sixteen), sixteen);
            C::plus_times(C::small(*byte), C::small(1), shifted)
        });
        same_scalar::<C>(&C::Scalar::from(value), theirs);
        assert_eq!(C::scalar_limbs(&value.into()), [value, 0, 0, 0, 0, 0, 0, 0]);
    }
}

fn limbs_there_and_back<C: Oracle>() {
    for scalar in scalars::<C>() {
        let limbs = C::scalar_limbs(&scalar);
        assert!(C::scalar_from_limbs(&limbs) == scalar);
        // The limbs are the integer, as the encoding has it.
        let mut bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        let length = C::encode_scalar(&scalar).as_ref().len();
        bytes.truncate(length);
        if !C::little_endian() {
            bytes.reverse();
        }
        assert_eq!(bytes, C::encode_scalar(&scalar).as_ref());
    }
    assert!(C::scalar_from_limbs(&order::<C>()) == C::Scalar::default());
}

trait LittleEndian: Curve {
    /// Returns whether the encoding of one starts with it.
    fn little_endian() -> bool {
        Self::encode_scalar(&Self::Scalar::from(1)).as_ref().first() == Some(&1)
    }
}

impl<C: Curve> LittleEndian for C {}

fn order<C: Curve>() -> [u64; 8] {
    let mut limbs = [0; 8];
    limbs[..C::ORDER.len()].copy_from_slice(C::ORDER);
    limbs
}

/// Any 512-bit value, and any byte string, is reduced: Horner's rule by the oracle tells.
fn reduction_of_long_integers<C: Oracle>() {
    let mut rng = rng(2);
    for length in [0, 1, 31, 32, 33, 47, 48, 56, 57, 58, 63, 64, 65, 84, 113, 114] {
        for filling in 0..3 {
            let mut bytes = vec![[0, 0xff, 0][filling]; length];
            if filling == 2 {
                rng.fill_bytes(&mut bytes);
            }
            let ours = C::scalar_from_wide(&bytes);
            if C::little_endian() {
                bytes.reverse();
            }
            let sixteen = C::small(16);
            let theirs = bytes.iter().fold(C::small(0), |sum, byte| {
                let shifted =
                    C::plus_times(C::small(0), C::plus_times(C::small(0), sum, sixteen), sixteen);
                C::plus_times(C::small(*byte), C::small(1), shifted)
            });
            same_scalar::<C>(&ours, theirs);
            if length == 64 {
                bytes.reverse();
                let mut limbs = [0; 8];
                for (limb, chunk) in limbs.iter_mut().zip(bytes.chunks(8)) {
                    *limb = u64::from_le_bytes(chunk.try_into().unwrap());
                }
                same_scalar::<C>(&C::scalar_from_limbs(&limbs), theirs);
            }
        }
    }
}

fn inversion_of_many<C: Oracle>() {
    let mut rng = rng(3);
    let mut none: [C::Scalar; 0] = [];
    assert!(batch_invert::<C>(&mut none).is_some());
    for length in [1, 2, 3, 30] {
        let before: Vec<_> =
            (0..length).map(|_| random_nonzero_scalar::<C>(&mut rng).unwrap()).collect();
        let mut after = before.clone();
        batch_invert::<C>(&mut after).unwrap();
        for (before, after) in before.iter().zip(&after) {
            same_scalar::<C>(after, C::inverse(C::numbered(before)));
        }
        let mut with_zero = before;
        with_zero[length / 2] = C::Scalar::default();
        let copy = with_zero.clone();
        assert!(batch_invert::<C>(&mut with_zero).is_none());
        assert!(with_zero == copy);
    }
}

fn generator_and_base_multiples<C: Oracle>() {
    same_point::<C>(&C::generator(), &C::base_times(C::small(1)));
    for scalar in scalars::<C>() {
        let ours = C::mul_base(&scalar);
        same_point::<C>(&ours, &C::base_times(C::numbered(&scalar)));
        assert_eq!(C::mul(&C::generator(), &scalar), ours);
        assert_eq!(C::is_identity(&ours), scalar == C::Scalar::default());
    }
}

/// Small multiples of powers of two: together they meet every entry of a table for the generator,
/// whether its windows have four bits or five. What they must be comes from additions alone.
fn base_multiples_in_every_window<C: Oracle>() {
    let (mut power, mut point) = (C::Scalar::from(1), C::generator());
    for position in 0..64 * C::ORDER.len() {
        if position % 4 == 0 || position % 5 == 0 {
            let (mut scalar, mut multiple) = (C::Scalar::default(), C::identity());
            for _ in 0..16 {
                scalar = scalar + power;
                multiple = multiple + point;
                assert!(C::mul_base(&scalar) == multiple);
                assert!(C::mul_base(&-scalar) == -multiple);
            }
        }
        power = power + power;
        point = C::double(&point);
    }
}

/// Many at once, as points and as bytes.
fn base_multiples_together<C: Oracle>() {
    let scalars = scalars::<C>();
    let (points, bytes) = C::mul_base_many(&scalars);
    assert_eq!((points.len(), bytes.len()), (scalars.len(), scalars.len()));
    for ((scalar, point), bytes) in scalars.iter().zip(&points).zip(&bytes) {
        assert!(*point == C::mul_base(scalar));
        assert_eq!(*bytes, C::encode_point(point));
    }
    assert!(C::mul_base_many(&[]).0.is_empty());
}

fn multiples<C: Oracle>() {
    let mut rng = rng(4);
    for scalar in scalars::<C>() {
        let point = C::mul_base(&random_nonzero_scalar::<C>(&mut rng).unwrap());
        let theirs = C::times(C::encode_point(&point).as_ref(), C::numbered(&scalar));
        same_point::<C>(&C::mul(&point, &scalar), &theirs);
        assert_eq!(C::mul(&C::identity(), &scalar), C::identity());
    }
}

/// The group law where addition formulas tend to have exceptions.
fn group_law<C: Oracle>() {
    let mut rng = rng(5);
    let point = C::mul_base(&random_nonzero_scalar::<C>(&mut rng).unwrap());
    let other = C::mul_base(&random_nonzero_scalar::<C>(&mut rng).unwrap());
    let identity = C::identity();
    assert_eq!(point + identity, point);
    assert_eq!(identity + point, point);
    assert_eq!(identity - point, -point);
    assert_eq!(point - identity, point);
    assert_eq!(identity + identity, identity);
    assert_eq!(C::double(&identity), identity);
    assert_eq!(-identity, identity);
    let same = point;
    assert_eq!(point - same, identity);
    assert_eq!(point + -point, identity);
    assert_eq!(point + point, C::double(&point));
    assert_eq!(C::double(&point), C::mul(&point, &2.into()));
    assert_eq!(point + other, other + point);
    assert_eq!((point + other) - other, point);
    assert_ne!(point, other);
    assert_ne!(point, -point);
    assert!(C::is_identity(&identity) && C::is_identity(&(point - same)));
    assert!(!C::is_identity(&point));
}

fn small_multiples<C: Oracle>() {
    let point = C::mul_base(&random_nonzero_scalar::<C>(&mut rng(6)).unwrap());
    let edges = [u64::from(u32::MAX), 1 << 32, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX];
    let patterns = [0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0xdead_beef];
    for value in (0..70).chain(edges).chain(patterns) {
        assert_eq!(C::mul_small_vartime(&point, value), C::mul(&point, &value.into()), "{value}");
        assert_eq!(C::mul_small_vartime(&C::identity(), value), C::identity());
    }
}

fn schnorr_equation<C: Oracle>() {
    let mut rng = rng(7);
    let one = C::Scalar::from(1);
    // The edges of the challenge are as good as any: splitting them must not fail.
    for c in scalars::<C>() {
        let secret = random_nonzero_scalar::<C>(&mut rng).unwrap();
        let nonce = random_nonzero_scalar::<C>(&mut rng).unwrap();
        let (key, r, s) = (C::mul_base(&secret), C::mul_base(&nonce), nonce + c * secret);
        assert!(C::verify_vartime(&key, &r, &s, &c));
        assert!(!C::verify_vartime(&key, &r, &(s + one), &c));
        assert!(!C::verify_vartime(&key, &r, &-s, &c));
        assert!(!C::verify_vartime(&key, &r, &s, &(c + one)));
        assert!(!C::verify_vartime(&key, &(r + C::generator()), &s, &c));
        assert!(!C::verify_vartime(&key, &-r, &s, &c));
        if c != C::Scalar::default() {
            assert!(!C::verify_vartime(&(key + C::generator()), &r, &s, &c));
            assert!(!C::verify_vartime(&-key, &r, &s, &c));
        }
        assert!(C::verify_vartime(&key, &C::identity(), &(c * secret), &c));
        assert!(C::verify_vartime(&C::identity(), &r, &nonce, &c));
        assert!(!C::verify_vartime(&C::identity(), &r, &(nonce + one), &c));
    }
}

fn random_scalars_differ<C: Oracle>() {
    let mut rng = rng(8);
    let all: Vec<_> = (0..50).map(|_| random_scalar::<C>(&mut rng)).collect();
    for (index, scalar) in all.iter().enumerate() {
        assert!(all[..index].iter().all(|other| other != scalar));
    }
    // The highest bits of the order are reached: 50 draws all below half have odds of 2^-50.
    let half = C::ORDER[C::ORDER.len() - 1] >> 1;
    assert!(all.iter().any(|scalar| C::scalar_limbs(scalar)[C::ORDER.len() - 1] > half));
}

/// A generator of zeros is refused, one that recovers is not.
fn zeros_are_no_randomness<C: Oracle>() {
    assert_eq!(random_nonzero_scalar::<C>(&mut Stuck::at(0)).err(), Some(RandomnessError));
    let drawn = if C::ORDER.len() > 4 { 114 } else { 64 };
    let late = |draws: usize| random_nonzero_scalar::<C>(&mut Stuck::for_bytes(0, draws * drawn));
    assert!(late(3).is_ok_and(|scalar| scalar != C::Scalar::default()));
    assert_eq!(late(4).err(), Some(RandomnessError));
}

fn sc_04_secrets_are_wiped_and_print_nothing<C: Oracle>() {
    let scalar = random_nonzero_scalar::<C>(&mut rng(9)).unwrap();
    let mut secret = Secret::new(scalar);
    assert!(*secret.expose() == scalar);
    assert_eq!(format!("{secret:?}"), "Secret");
    assert_eq!(format!("{secret:#?}"), "Secret");
    secret.zeroize();
    assert!(*secret.expose() == C::Scalar::default());
    *secret.expose_mut() = scalar;
    assert!(*secret.expose() == scalar);
    let mut bytes = C::encode_scalar(&scalar);
    bytes.zeroize();
    assert!(bytes.as_ref().iter().all(|byte| *byte == 0));
}

fn points_print_their_encoding<C: Oracle>() {
    let point = C::generator();
    let encoded: String =
        C::encode_point(&point).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(format!("{point:?}"), encoded);
}

/// RFC 8032 section 5.1, RFC 9496 appendix A.1, SEC 2 sections 2.4.1 and 2.4.2.
#[test]
fn known_generators() {
    fn hex<C: Curve>() -> String {
        format!("{:?}", C::generator())
    }
    assert_eq!(hex::<Ed25519>(), format!("58{}", "66".repeat(31)));
    assert_eq!(
        hex::<Ristretto255>(),
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"
    );
    assert_eq!(
        hex::<Secp256k1>(),
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    );
    assert_eq!(hex::<P256>(), "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
    assert_eq!(P256::encode_scalar(&258.into())[30..], [1, 2]);
    assert_eq!(Secp256k1::encode_scalar(&258.into())[30..], [1, 2]);
    assert_eq!(Ed25519::encode_scalar(&258.into())[..2], [2, 1]);
    assert_eq!(Ed448::encode_scalar(&258.into())[..2], [2, 1]);
    assert_eq!(P256::encode_point(&P256::identity()), [0; 33]);
    assert_eq!(Ristretto255::encode_point(&Ristretto255::identity()), [0; 32]);
}

for_every_curve!(
    scalar_arithmetic,
    scalar_from_u64,
    limbs_there_and_back,
    reduction_of_long_integers,
    inversion_of_many,
    generator_and_base_multiples,
    base_multiples_in_every_window,
    base_multiples_together,
    multiples,
    group_law,
    small_multiples,
    schnorr_equation,
    random_scalars_differ,
    zeros_are_no_randomness,
    sc_04_secrets_are_wiped_and_print_nothing,
    points_print_their_encoding,
);

/// Secrets are wiped on drop, and the wrapper says so in its type.
#[test]
fn sc_04_secret_is_zeroize_on_drop() {
    const fn wiped<T: zeroize::ZeroizeOnDrop>() {}
    wiped::<Secret<<P256 as Curve>::Scalar>>();
    wiped::<Secret<[u8; 32]>>();

    struct Watched<'a>(&'a core::cell::Cell<bool>);
    impl Zeroize for Watched<'_> {
        fn zeroize(&mut self) {
            self.0.set(true);
        }
    }
    let seen = core::cell::Cell::new(false);
    drop(Secret::new(Watched(&seen)));
    assert!(seen.get());
}
