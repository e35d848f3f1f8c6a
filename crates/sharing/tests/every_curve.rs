//! Checks on every curve, against the definitions written out over whole scalars.
#![allow(missing_docs, reason = "tests")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng;
use quorate_curve::{Curve, random_scalar};
use quorate_session::PartyId;
use quorate_sharing::{
    Commitment, CommitmentError, Polynomial, RandomnessError, decode_points_vartime, lagrange,
    lies_on_polynomial_vartime,
};
use quorate_testkit::{Stuck, rng};

fn ids(numbers: impl IntoIterator<Item = u16>) -> Vec<PartyId> {
    numbers.into_iter().map(|number| PartyId::new(number).unwrap()).collect()
}

/// `count` distinct ids up to `bound`, in no order.
fn scattered(count: usize, bound: u16, rng: &mut ChaCha20Rng) -> Vec<PartyId> {
    let mut chosen: Vec<PartyId> = Vec::new();
    while chosen.len() < count {
        let number = u16::try_from(1 + rng.next_u64() % u64::from(bound)).unwrap();
        let id = PartyId::new(number).unwrap();
        if !chosen.contains(&id) {
            chosen.push(id);
        }
    }
    chosen
}

/// Lists of ids of every kind: runs, gaps, far away, the extremes, out of order.
fn id_lists(rng: &mut ChaCha20Rng) -> Vec<Vec<PartyId>> {
    vec![
        ids([1]),
        ids([65535]),
        ids([1, 2, 65535]),
        ids([2, 1]),
        ids(1..=20),
        ids((1..=20).rev()),
        ids((1..=30).filter(|number| number % 7 != 0)),
        ids((1..=12).chain([5000, 5001, 65535])),
        ids(65500..=65535),
        ids(40_000..=40_040),
        scattered(15, 50, rng),
        scattered(15, 1000, rng),
        scattered(15, 65535, rng),
    ]
}

fn coefficients<C: Curve>(t: usize, rng: &mut ChaCha20Rng) -> Vec<C::Scalar> {
    (0..t).map(|_| random_scalar::<C>(rng)).collect()
}

/// f(x) from the definition.
fn value<C: Curve>(coefficients: &[C::Scalar], x: u16) -> C::Scalar {
    let x = C::Scalar::from(u64::from(x));
    let mut power = C::Scalar::from(1);
    let mut sum = C::Scalar::default();
    for coefficient in coefficients {
        sum = sum + *coefficient * power;
        power = power * x;
    }
    sum
}

/// λᵢ(x) from the definition.
fn coefficient<C: Curve>(ids: &[PartyId], me: PartyId, x: u16) -> C::Scalar {
    let number = |id: u16| C::Scalar::from(u64::from(id));
    let mut value = C::Scalar::from(1);
    for other in ids.iter().filter(|other| **other != me) {
        value = value * (number(x) - number(other.get()));
        value = value * C::invert(&(number(me.get()) - number(other.get())));
    }
    value
}

fn shares_are_values<C: Curve>() {
    let mut rng = rng(1);
    for t in (1..=24).chain([63, 64, 65, 70, 131]) {
        let coefficients = coefficients::<C>(t, &mut rng);
        let polynomial = Polynomial::<C>::from_coefficients(coefficients.clone());
        assert_eq!(polynomial.threshold(), t);
        for ids in id_lists(&mut rng) {
            let shares = polynomial.evaluate_many(&ids);
            for (id, share) in ids.iter().zip(shares.expose()) {
                let expected = value::<C>(&coefficients, id.get());
                assert!(*share == expected, "t = {t}, id = {id}");
                assert!(polynomial.evaluate(*id) == expected, "t = {t}, id = {id}");
            }
        }
    }
}

/// Coefficients q − 1, 0 and 1, the limits of the kernel's input.
fn extreme_coefficients<C: Curve>() {
    for number in [-C::Scalar::from(1), C::Scalar::default(), C::Scalar::from(1)] {
        for t in [1, 2, 3, 62, 63, 64, 127, 200] {
            let coefficients = vec![number; t];
            let polynomial = Polynomial::<C>::from_coefficients(coefficients.clone());
            for ids in
                [ids([1, 2]), ids([1, 2, 3]), ids(1..=100), ids([1, 2, 1000]), ids([1, 65535])]
            {
                for (id, share) in ids.iter().zip(polynomial.evaluate_many(&ids).expose()) {
                    assert!(*share == value::<C>(&coefficients, id.get()), "t = {t}, id = {id}");
                }
            }
        }
    }
}

fn long_polynomials<C: Curve>() {
    let mut rng = rng(2);
    let coefficients = coefficients::<C>(700, &mut rng);
    let polynomial = Polynomial::<C>::from_coefficients(coefficients.clone());
    for ids in [ids([1, 500, 1000]), ids([1, 2, 65535])] {
        for (id, share) in ids.iter().zip(polynomial.evaluate_many(&ids).expose()) {
            assert!(*share == value::<C>(&coefficients, id.get()));
        }
    }
}

/// VS-05: a share times the generator is the value that the commitment gives, for one and for all,
/// by each way of computing it.
fn vs_05_commitment_agrees_with_shares<C: Curve>() {
    let mut rng = rng(3);
    for t in [1, 2, 3, 7, 20] {
        let polynomial = Polynomial::<C>::random(t, &mut rng).unwrap();
        let commitment = polynomial.commit();
        assert!(*commitment.constant() == C::mul_base(polynomial.constant()));
        for ids in id_lists(&mut rng) {
            let public = commitment.evaluate_all_vartime(&ids);
            assert_eq!(public.len(), ids.len());
            let shares = polynomial.evaluate_many(&ids);
            for ((id, public), share) in ids.iter().zip(&public).zip(shares.expose()) {
                assert!(*public == C::mul_base(share), "t = {t}, id = {id}");
            }
        }
        let some = ids([1, 2, 65535]);
        for (id, share) in some.iter().zip(polynomial.evaluate_many(&some).expose()) {
            assert!(commitment.evaluate_vartime(*id) == C::mul_base(share));
            assert!(commitment.verify_share_vartime(*id, share));
        }
    }
}

/// VS-05: a share altered, of another party, of another dealer, or zero is refused.
fn vs_05_wrong_shares_are_refused<C: Curve>() {
    let mut rng = rng(4);
    let dealt = Polynomial::<C>::random(3, &mut rng).unwrap();
    let other = Polynomial::<C>::random(3, &mut rng).unwrap();
    let commitment = dealt.commit();
    let [one, two] = [1, 2].map(|number| PartyId::new(number).unwrap());
    let share = dealt.evaluate(one);
    assert!(commitment.verify_share_vartime(one, &share));
    assert!(!commitment.verify_share_vartime(one, &(share + C::Scalar::from(1))));
    assert!(!commitment.verify_share_vartime(two, &share));
    assert!(!commitment.verify_share_vartime(one, &dealt.evaluate(two)));
    assert!(!commitment.verify_share_vartime(one, &other.evaluate(one)));
    assert!(!commitment.verify_share_vartime(one, &C::Scalar::default()));
    assert!(!commitment.verify_share_vartime(one, &-share));
    // A share that is truly zero is one.
    let with_root =
        Polynomial::<C>::from_coefficients(vec![-C::Scalar::from(2), C::Scalar::from(1)]);
    assert!(with_root.commit().verify_share_vartime(two, &C::Scalar::default()));
}

/// VS-02: a commitment of any other length than the threshold's is refused before a point is
/// decoded.
fn vs_02_other_lengths_are_refused<C: Curve>() {
    let mut rng = rng(5);
    let t = 5;
    let commitment = Polynomial::<C>::random(5, &mut rng).unwrap().commit();
    let mut bytes = Vec::new();
    commitment.encode_into(&mut bytes);
    let decoded = Commitment::<C>::decode(&bytes, t).unwrap();
    assert!(decoded == commitment && decoded.bytes() == commitment.bytes() && decoded.len() == t);
    assert!(decoded.points() == commitment.points());
    let size = bytes.len() / t;
    let refused = |bytes: &[u8], threshold: usize| {
        let error = Commitment::<C>::decode(bytes, threshold).unwrap_err();
        matches!(error, CommitmentError::WrongLength { .. })
    };
    for threshold in [0, 1, t - 1, t + 1, 65535, usize::MAX] {
        assert!(refused(&bytes, threshold), "threshold {threshold}");
    }
    assert!(refused(&[], 0) && refused(&[], t));
    assert!(refused(&bytes[1..], t) && refused(&bytes[..bytes.len() - 1], t));
    assert!(refused(&bytes[size..], t));
    bytes.push(0);
    assert!(refused(&bytes, t));
    bytes.resize(65535 * size, 0);
    assert!(refused(&bytes, t));
}

/// VS-02: the identity is no coefficient, wherever it stands (also as the last of a polynomial that
/// is longer than it looks), and neither is anything that is no point.
fn vs_02_bad_points_are_refused<C: Curve>() {
    let commitment = Polynomial::<C>::random(4, &mut rng(6)).unwrap().commit();
    let mut good = Vec::new();
    commitment.encode_into(&mut good);
    let size = good.len() / 4;
    let identity = C::encode_point(&C::identity());
    for index in 0..4 {
        for bad in [identity.as_ref().to_vec(), vec![0xff; size]] {
            let mut bytes = good.clone();
            bytes[index * size..(index + 1) * size].copy_from_slice(&bad);
            assert_eq!(
                Commitment::<C>::decode(&bytes, 4),
                Err(CommitmentError::InvalidPoint { index })
            );
        }
    }
}

/// VS-01: zero is no id, and a list with an id twice has no coefficients.
fn vs_01_duplicates_are_refused<C: Curve>() {
    assert!(PartyId::new(0).is_none());
    for ids in [ids([1, 1]), ids([3, 1, 2, 3]), ids([1, 65535, 65535]), ids([9, 9, 9])] {
        assert!(lagrange::all_at_zero::<C>(&ids).is_none());
        assert!(lagrange::one_at_zero::<C>(&ids, ids[0]).is_none());
        for x in [1, 3, 500] {
            assert!(lagrange::all_at::<C>(&ids, PartyId::new(x).unwrap()).is_none());
        }
        let shares = vec![C::Scalar::from(1); ids.len()];
        assert!(lagrange::interpolate_at_zero::<C>(&ids, &shares).is_none());
    }
    // Nor for a party that is not among them.
    assert!(lagrange::one_at_zero::<C>(&ids([1, 2]), PartyId::new(3).unwrap()).is_none());
    assert!(lagrange::one_at_zero::<C>(&[], PartyId::new(3).unwrap()).is_none());
    assert!(lagrange::all_at_zero::<C>(&[]).unwrap().is_empty());
    assert!(lagrange::interpolate_at_zero::<C>(&ids([1, 2]), &[C::Scalar::from(1)]).is_none());
}

fn lagrange_agrees_with_definition<C: Curve>() {
    let mut rng = rng(7);
    let mut lists = id_lists(&mut rng);
    lists.extend((1..12).map(|count| scattered(count, 12, &mut rng)));
    for ids in lists {
        let zero = lagrange::all_at_zero::<C>(&ids).unwrap();
        for (id, got) in ids.iter().zip(&zero) {
            assert!(*got == coefficient::<C>(&ids, *id, 0), "{ids:?}, id {id}");
            assert!(*got == lagrange::one_at_zero::<C>(&ids, *id).unwrap(), "{ids:?}, id {id}");
        }
        for x in [1, 3, 7, 21, 100, 40_020, 65534, 65535] {
            let at_x = lagrange::all_at::<C>(&ids, PartyId::new(x).unwrap()).unwrap();
            for (id, got) in ids.iter().zip(&at_x) {
                assert!(*got == coefficient::<C>(&ids, *id, x), "{ids:?}, id {id} at {x}");
            }
        }
    }
}

fn enough_shares_give_the_secret<C: Curve>() {
    let mut rng = rng(8);
    for t in [1u16, 2, 3, 10, 40, 67] {
        let polynomial = Polynomial::<C>::random(t, &mut rng).unwrap();
        for extra in [0, 1, 5] {
            let ids = scattered(usize::from(t) + extra, 1000, &mut rng);
            let shares = polynomial.evaluate_many(&ids);
            let secret = lagrange::interpolate_at_zero::<C>(&ids, shares.expose()).unwrap();
            assert!(secret.expose() == polynomial.constant());
            if t > 1 {
                let few = usize::from(t) - 1;
                let wrong =
                    lagrange::interpolate_at_zero::<C>(&ids[..few], &shares.expose()[..few])
                        .unwrap();
                assert!(wrong.expose() != polynomial.constant());
            }
            // Repair: the share of another party.
            let lost = PartyId::new(1001).unwrap();
            let weights = lagrange::all_at::<C>(&ids, lost).unwrap();
            let terms = weights.iter().zip(shares.expose()).map(|(weight, share)| *weight * *share);
            assert!(
                terms.fold(C::Scalar::default(), |sum, term| sum + term)
                    == polynomial.evaluate(lost)
            );
        }
    }
}

/// Sums of commitments commit to the sums of polynomials; different lengths have none.
fn sums<C: Curve>() {
    let mut rng = rng(9);
    let dealers: Vec<Polynomial<C>> =
        (0..4).map(|_| Polynomial::random(3, &mut rng).unwrap()).collect();
    let commitments: Vec<Commitment<C>> = dealers.iter().map(Polynomial::commit).collect();
    let sum = Commitment::sum(&commitments).unwrap();
    let id = PartyId::new(77).unwrap();
    let share = dealers.iter().fold(C::Scalar::default(), |sum, dealer| sum + dealer.evaluate(id));
    assert!(sum.verify_share_vartime(id, &share));
    assert!(sum.bytes() == Commitment::<C>::from_points(sum.points().to_vec()).bytes());
    assert!(Commitment::<C>::sum([]).is_none());
    assert!(Commitment::sum([&commitments[0]]).unwrap() == commitments[0]);
    let longer = Polynomial::<C>::random(4, &mut rng).unwrap().commit();
    assert!(Commitment::sum([&commitments[0], &longer]).is_none());
    assert!(Commitment::sum([&longer, &commitments[0]]).is_none());
}

/// Public shares of one polynomial pass at its threshold and at no lower one; altered ones do not.
fn vs_02_public_shares_of_a_longer_polynomial_are_refused<C: Curve>() {
    let mut rng = rng(15);
    for ids in [ids(1..=7), ids([65535, 3, 9, 1, 40_000, 12, 2])] {
        let commitment = Polynomial::<C>::random(4, &mut rng).unwrap().commit();
        let constant = *commitment.constant();
        let shares = commitment.evaluate_all_vartime(&ids);
        let lies = |constant: &C::Point, shares: &[C::Point], threshold: u16| {
            lies_on_polynomial_vartime::<C>(&ids, constant, shares, threshold)
        };
        for threshold in [4, 5, 6, 7] {
            assert!(lies(&constant, &shares, threshold), "threshold {threshold}");
        }
        for threshold in [1, 2, 3, 8, 65535] {
            assert!(!lies(&constant, &shares, threshold), "threshold {threshold}");
        }
        assert!(!lies(&(constant + C::generator()), &shares, 4));
        assert!(!lies(&shares[0], &shares, 4));
        for index in 0..shares.len() {
            let mut altered = shares.clone();
            altered[index] = altered[index] + C::generator();
            assert!(!lies(&constant, &altered, 4), "share {index}");
        }
        let mut swapped = shares.clone();
        swapped.swap(0, 6);
        assert!(!lies(&constant, &swapped, 4));
        assert!(!lies(&constant, &shares[..6], 4));
    }
    // Ids that are not distinct have no polynomial through them.
    let twice = ids([1, 2, 2]);
    let same = vec![C::generator(); 3];
    assert!(!lies_on_polynomial_vartime::<C>(&twice, &C::generator(), &same, 2));
    assert!(lies_on_polynomial_vartime::<C>(&ids([1, 2, 3]), &C::generator(), &same, 1));
}

/// A refresh deals a zero, which is not sent. An identity that is sent is not accepted.
fn zero_constants<C: Curve>() {
    let mut rng = rng(10);
    let zero = Polynomial::<C>::zero_constant(3, &mut rng).unwrap();
    assert!(*zero.constant() == C::Scalar::default() && zero.threshold() == 3);
    let commitment = zero.commit();
    assert!(C::is_identity(commitment.constant()));
    let mut bytes = Vec::new();
    commitment.encode_after_constant_into(&mut bytes);
    assert!(Commitment::<C>::decode_zero_constant(&bytes, 3).unwrap() == commitment);
    for threshold in [0, 1, 2, 4] {
        assert!(Commitment::<C>::decode_zero_constant(&bytes, threshold).is_err());
    }
    let mut whole = Vec::new();
    commitment.encode_into(&mut whole);
    assert_eq!(Commitment::<C>::decode(&whole, 3), Err(CommitmentError::InvalidPoint { index: 0 }));
    assert!(Commitment::<C>::decode_zero_constant(&whole, 3).is_err());
    // It refreshes shares and leaves the secret.
    let old = Polynomial::<C>::random(3, &mut rng).unwrap();
    let ids = ids([2, 4, 9]);
    let shares: Vec<_> = ids.iter().map(|id| old.evaluate(*id) + zero.evaluate(*id)).collect();
    assert!(lagrange::interpolate_at_zero::<C>(&ids, &shares).unwrap().expose() == old.constant());
    // Of threshold 1 it's the constant zero.
    assert!(
        Commitment::<C>::decode_zero_constant(&[], 1).unwrap()
            == Polynomial::zero_constant(1, &mut rng).unwrap().commit()
    );
}

/// EN-06: the last party there can be, next to the first, and a threshold that u16 just holds.
fn en_06_the_last_id<C: Curve>() {
    let ids = ids([65534, 65535, 1]);
    let polynomial = Polynomial::<C>::random(3, &mut rng(11)).unwrap();
    let shares = polynomial.evaluate_many(&ids);
    let secret = lagrange::interpolate_at_zero::<C>(&ids, shares.expose()).unwrap();
    assert!(secret.expose() == polynomial.constant());
    for (public, share) in
        polynomial.commit().evaluate_all_vartime(&ids).iter().zip(shares.expose())
    {
        assert!(*public == C::mul_base(share));
    }
    // The same id many times over is the same share many times over.
    let last = vec![ids[1]; 3];
    let same = polynomial.commit().evaluate_all_vartime(&last);
    assert!(same.iter().all(|public| *public == C::mul_base(&shares.expose()[1])));
    assert!(polynomial.evaluate_many(&[]).expose().is_empty());
    assert!(polynomial.commit().evaluate_all_vartime(&[]).is_empty());
    assert_eq!(Polynomial::<C>::random(65535, &mut rng(12)).unwrap().threshold(), 65535);
}

fn degenerate_lengths<C: Curve>() {
    let mut rng = rng(13);
    assert_eq!(Polynomial::<C>::random(0, &mut rng).unwrap().threshold(), 1);
    let nothing = Polynomial::<C>::from_coefficients(Vec::new());
    assert!(nothing.threshold() == 1 && *nothing.constant() == C::Scalar::default());
    let empty = Commitment::<C>::from_points(Vec::new());
    assert!(empty == nothing.commit() && empty.len() == 1);
}

/// With coefficients that are all zero every share is the secret: a generator of zeros is refused.
fn zeros_are_no_randomness<C: Curve>() {
    let (zeros, one) = (&mut Stuck::at(0), C::Scalar::from(1));
    for threshold in [1, 2, 3] {
        assert_eq!(Polynomial::<C>::random(threshold, zeros).err(), Some(RandomnessError));
    }
    assert_eq!(Polynomial::<C>::with_constant(&one, 2, zeros).err(), Some(RandomnessError));
    assert_eq!(Polynomial::<C>::zero_constant(3, zeros).err(), Some(RandomnessError));
    // Nothing is drawn.
    assert!(Polynomial::<C>::with_constant(&one, 1, zeros).is_ok());
    assert!(Polynomial::<C>::with_constant(&one, 3, &mut Stuck::for_bytes(0, 114)).is_ok());
}

/// A commitment is compared, kept and printed by the encodings of its points; why one is refused is said in full.
fn commitments_are_their_encodings<C: Curve>() {
    let mut rng = rng(15);
    let [one, other] = [(); 2].map(|()| Polynomial::<C>::random(3, &mut rng).unwrap().commit());
    assert!(one == one.clone() && one != other);
    let encoded = C::encode_points(one.points());
    let of =
        |list: &[C::PointBytes]| list.iter().flat_map(|b| b.as_ref().to_vec()).collect::<Vec<u8>>();
    assert_eq!((one.bytes().len(), of(one.bytes())), (3, of(&encoded)));
    let printed = format!("{one:?}");
    assert!(printed.starts_with("Commitment(") && printed != format!("{other:?}"));
    let mut bytes = of(&encoded);
    let size = bytes.len();
    bytes.pop();
    let short = Commitment::<C>::decode(&bytes, 3).unwrap_err();
    let said = format!("a commitment of {} bytes where {size} are due", size - 1);
    assert_eq!(short.to_string(), said);
    let bad = CommitmentError::InvalidPoint { index: 2 };
    assert_eq!(bad.to_string(), "the commitment to coefficient 2 is no valid point");
}

/// Points of many commitments are decoded at once, as one by one; a commitment of them has an encoding for each.
fn points_decoded_at_once<C: Curve>() {
    let commitment = Polynomial::<C>::random(3, &mut rng(16)).unwrap().commit();
    let (points, encoded) = (commitment.points().to_vec(), commitment.bytes().to_vec());
    let mut bytes = Vec::new();
    commitment.encode_into(&mut bytes);
    assert!(decode_points_vartime::<C>(&bytes).unwrap() == points);
    assert!(decode_points_vartime::<C>(&[]).unwrap().is_empty());
    assert!(decode_points_vartime::<C>(&bytes[1..]).is_none());
    let identity = C::encode_point(&C::identity());
    let size = identity.as_ref().len();
    bytes[size..2 * size].copy_from_slice(identity.as_ref());
    assert!(decode_points_vartime::<C>(&bytes).is_none());
    let of = |points: &[C::Point], encoded: &[C::PointBytes]| {
        Commitment::<C>::from_decoded(points.to_vec(), encoded.to_vec())
    };
    assert!(of(&points, &encoded).unwrap() == commitment);
    assert!(of(&points, &encoded[1..]).is_none() && of(&points[1..], &encoded).is_none());
    assert!(of(&[], &encoded).is_none() && of(&[], &[]).is_none());
}

fn secrets_are_not_printed<C: Curve>() {
    let polynomial = Polynomial::<C>::random(3, &mut rng(14)).unwrap();
    assert_eq!(format!("{polynomial:?}"), "Polynomial");
    assert!(
        !format!("{:?}", polynomial.evaluate_many(&ids(1..=3)))
            .contains(|letter: char| letter.is_ascii_digit())
    );
}

macro_rules! on {
    ($($module:ident: $curve:ident,)*) => {$(
        mod $module {
            use quorate_curve::$curve;
            on!(@ $curve: shares_are_values, extreme_coefficients, long_polynomials,
                vs_05_commitment_agrees_with_shares, vs_05_wrong_shares_are_refused,
                vs_02_other_lengths_are_refused, vs_02_bad_points_are_refused, vs_01_duplicates_are_refused,
                lagrange_agrees_with_definition, enough_shares_give_the_secret, sums, zero_constants,
                en_06_the_last_id, vs_02_public_shares_of_a_longer_polynomial_are_refused, degenerate_lengths, zeros_are_no_randomness,
                commitments_are_their_encodings, points_decoded_at_once, secrets_are_not_printed,);
        }
    )*};
    (@ $curve:ident: $($check:ident,)*) => {$(
        #[test]
        fn $check() {
            super::$check::<$curve>();
        }
    )*};
}

on! {
    ed25519: Ed25519,
    ristretto255: Ristretto255,
    ed448: Ed448,
    p256: P256,
    secp256k1: Secp256k1,
}
