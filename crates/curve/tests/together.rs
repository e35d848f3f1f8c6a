//! Points decoded together equal those decoded one by one, and bytes that are refused alone are
//! refused among many.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics where it fails, and its own inputs are in range"
)]

#[path = "common/oracle.rs"]
mod common;

use common::{for_every_curve, rng};
use quorate_curve::rand_core::Rng;
use quorate_curve::{Curve, Ed448, Ed25519, random_scalar};

/// 1·G, 2·G, and so on, encoded one after the other.
fn row<C: Curve>(length: usize) -> Vec<Vec<u8>> {
    let multiples =
        core::iter::successors(Some(C::generator()), |last| Some(*last + C::generator()));
    let points: Vec<_> = multiples.take(length).collect();
    C::encode_points(&points).iter().map(|bytes| bytes.as_ref().to_vec()).collect()
}

fn decode<C: Curve>(row: &[Vec<u8>], seed: u8) -> Option<Vec<C::Point>> {
    C::decode_points_vartime(&row.concat(), &mut rng(seed))
}

fn many_are_as_one_by_one<C: Curve>() {
    for length in [0, 1, 3, 4, 15, 16, 17, 33, 255, 256, 300] {
        let row = row::<C>(length);
        let alone: Vec<_> = row.iter().map(|one| C::decode_point(one).unwrap()).collect();
        assert!(decode::<C>(&row, 1) == Some(alone));
        let mut bytes = row.concat();
        bytes.push(0);
        assert!(C::decode_points_vartime(&bytes, &mut rng(1)).is_none());
    }
}

fn one_that_is_no_point_spoils_all<C: Curve>() {
    let row = row::<C>(280);
    let good = row[0].len();
    let identity = C::encode_point(&C::identity()).as_ref().to_vec();
    let mut negative_identity = identity.clone();
    *negative_identity.last_mut().unwrap() |= 0x80;
    for bad in [vec![0xff; good], identity, negative_identity] {
        for place in [0, 279] {
            let mut row = row.clone();
            row[place] = bad.clone();
            assert!(C::decode_point(&bad).is_none() && decode::<C>(&row, 2).is_none());
        }
    }
}

/// Any strings of bytes, most of which are no points.
fn any_strings_are_as_one_by_one<C: Curve>() {
    let mut rng = rng(5);
    let length = row::<C>(1)[0].len();
    let mut good = 0;
    for _ in 0..400 {
        let mut one = vec![0; length];
        rng.fill_bytes(&mut one);
        let alone = C::decode_point(&one);
        good += u32::from(alone.is_some());
        assert!(decode::<C>(&vec![one; 5], 3) == alone.map(|point| vec![point; 5]));
    }
    // All strings of SEC 1 begin with 2 or 3.
    assert!(good > 0 || length == 33 || length == 57, "{}", C::NAME);
}

/// One scalar times sixteen points, the neutral one and equal ones among them.
fn sixteen_products_are_as_one_by_one<C: Curve>() {
    let mut rng = rng(6);
    let scalars =
        [C::Scalar::default(), 1.into(), 8.into(), 0x8888_8888.into(), -C::Scalar::from(1)];
    for scalar in scalars.into_iter().chain((0..5).map(|_| random_scalar::<C>(&mut rng))) {
        let mut last = C::double(&C::mul_base(&scalar));
        let mut points: [C::Point; 16] = core::array::from_fn(|_| {
            last = C::double(&last) + C::generator();
            last
        });
        points[3] = C::identity();
        points[4] = points[5];
        let products = C::mul_sixteen(&points, &scalar);
        for (product, point) in products.iter().zip(&points) {
            let alone = C::mul(point, &scalar);
            assert!(*product == alone && *product + *point == alone + *point);
            assert_eq!(C::encode_point(product), C::encode_point(&alone));
        }
    }
}

for_every_curve! {
    any_strings_are_as_one_by_one,
    sixteen_products_are_as_one_by_one,
    many_are_as_one_by_one,
    one_that_is_no_point_spoils_all,
}

/// Points moved by points of low order at these places, each by itself and both where the two movements cancel.
fn refuses_moved<C: Curve>(moved: &[Vec<u8>], back: &[Vec<u8>]) {
    let row = row::<C>(270);
    for (seed, (moved, back)) in (0..).zip(moved.iter().zip(back)) {
        for pair in [[Some(moved), None], [None, Some(back)], [Some(moved), Some(back)]] {
            let mut row = row.clone();
            for (place, one) in [7, 200].into_iter().zip(pair) {
                if let Some(one) = one {
                    assert!(C::decode_point(one).is_none());
                    row[place].clone_from(one);
                }
            }
            assert!(decode::<C>(&row, seed).is_none());
        }
        assert!(decode::<C>(&vec![moved.clone(); 256], seed).is_none());
    }
}

#[test]
fn en_03_ed25519_points_outside_the_subgroup_are_refused_among_many() {
    use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    let low = || EIGHT_TORSION[1..].iter();
    let bytes = |point: curve25519_dalek::EdwardsPoint| point.compress().to_bytes().to_vec();
    let moved: Vec<_> = low().map(|low| bytes(ED25519_BASEPOINT_POINT + low)).collect();
    let back: Vec<_> = low().map(|low| bytes(ED25519_BASEPOINT_POINT - low)).collect();
    refuses_moved::<Ed25519>(&moved, &back);
    let low: Vec<_> = low().map(|low| bytes(*low)).collect();
    refuses_moved::<Ed25519>(&low, &low);
}

#[test]
fn en_03_ed448_points_outside_the_subgroup_are_refused_among_many() {
    use crrl::ed448::Point;
    // (x, 0) is of order four, and twice it is (0, -1).
    let quarter = Point::decode(&[0; 57]).unwrap();
    let low = [quarter, quarter + quarter, -quarter];
    let shifted = |sign: i32| -> Vec<Vec<u8>> {
        let point = |low: &Point| if sign > 0 { Point::BASE + *low } else { Point::BASE - *low };
        low.iter().map(|low| point(low).encode().to_vec()).collect()
    };
    refuses_moved::<Ed448>(&shifted(1), &shifted(-1));
    let low: Vec<Vec<u8>> = low.iter().map(|low| low.encode().to_vec()).collect();
    refuses_moved::<Ed448>(&low, &low);
}
