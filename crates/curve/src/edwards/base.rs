//! Multiples of the generator, by the tables.

use crrl::field::GF25519;

use super::table::{ODD, POWERS};
use super::{Addend, Cached, Edwards, digits, select};

/// The generator of RFC 8032, whose y is 4/5.
pub(crate) const GENERATOR: Edwards = Edwards {
    x: GF25519::w64le(
        0xc956_2d60_8f25_d51a,
        0x692c_c760_9525_a7b2,
        0xc0a4_e231_fdd6_dc5c,
        0x2169_36d3_cd6e_53fe,
    ),
    y: GF25519::w64le(
        0x6666_6666_6666_6658,
        0x6666_6666_6666_6666,
        0x6666_6666_6666_6666,
        0x6666_6666_6666_6666,
    ),
    z: GF25519::ONE,
    t: GF25519::w64le(
        0x6dde_8ab3_a5b7_dda3,
        0x20f0_9f80_7751_52f5,
        0x66ea_4e8e_64ab_e37d,
        0x6787_5f0f_d78b_7665,
    ),
};

/// The generator times a scalar, in constant time; `bytes` is the scalar's encoding.
pub(crate) fn mul_base(bytes: &[u8; 32]) -> Edwards {
    let digits = digits(bytes);
    let (pairs, _) = digits.as_chunks::<2>();
    let mut sum = Edwards::IDENTITY;
    for (table, [_, high]) in POWERS.iter().zip(pairs) {
        sum = select(table, *high).added_to(&sum);
    }
    sum = sum.doubled(4);
    for (table, [low, _]) in POWERS.iter().zip(pairs) {
        sum = select(table, *low).added_to(&sum);
    }
    sum
}

/// `a` times the point plus `b` times the generator, in variable time. Both are limbs, below 2^255.
pub(crate) fn double_mul_vartime(point: &Edwards, a: &[u64; 8], b: &[u64; 8]) -> Edwards {
    let twice = point.doubled(1).cached();
    let mut last = *point;
    let mut multiples = [point.cached(); 8];
    for entry in multiples.iter_mut().skip(1) {
        last = twice.added_to(&last);
        *entry = last.cached();
    }
    let mut digits = [(0i8, 0i8); 257];
    let mut put = |position: u32, set: &dyn Fn(&mut (i8, i8))| {
        if let Some(pair) = usize::try_from(position).ok().and_then(|at| digits.get_mut(at)) {
            set(pair);
        }
    };
    crate::msm::non_adjacent(a, 5, |position, digit| put(position, &|pair| pair.0 = digit));
    crate::msm::non_adjacent(b, 7, |position, digit| put(position, &|pair| pair.1 = digit));
    let mut sum = Edwards::IDENTITY;
    let mut doublings = 0;
    for (of_point, of_base) in digits.iter().rev().skip_while(|pair| **pair == (0, 0)) {
        doublings += 1;
        if (*of_point, *of_base) == (0, 0) {
            continue;
        }
        sum = sum.doubled(doublings);
        doublings = 0;
        sum = add_odd::<Cached>(&sum, &multiples, *of_point);
        sum = add_odd(&sum, &ODD, *of_base);
    }
    sum.doubled(doublings)
}

/// Adds the entry of a table of odd multiples that belongs to a digit, in variable time.
fn add_odd<A: Addend>(sum: &Edwards, table: &[A], digit: i8) -> Edwards {
    match table.get(usize::from(digit.unsigned_abs() >> 1)) {
        Some(multiple) if digit != 0 => multiple.added_vartime(sum, digit < 0),
        _ => *sum,
    }
}
