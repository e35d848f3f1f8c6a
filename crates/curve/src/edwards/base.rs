//! Multiples of the generator, by the tables.

use crrl::field::GF25519;

use super::table::POWERS;
use super::{Addend, Edwards, digits, select};

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
