//! Constants and square roots of the field.

use crrl::field::GF25519;

/// The field's order, 2^255 - 19, little-endian.
pub(crate) const FIELD: [u64; 4] =
    [0xffff_ffff_ffff_ffed, u64::MAX, u64::MAX, 0x7fff_ffff_ffff_ffff];

/// The curve's d = -121665/121666.
pub(crate) const D: GF25519 = GF25519::w64le(
    0x75eb_4dca_1359_78a3,
    0x0070_0a4d_4141_d8ab,
    0x8cc7_4079_7779_e898,
    0x5203_6cee_2b6f_fe73,
);

/// 2d.
pub(crate) const D2: GF25519 = GF25519::w64le(
    0xebd6_9b94_26b2_f159,
    0x00e0_149a_8283_b156,
    0x198e_80f2_eef3_d130,
    0x2406_d9dc_56df_fce7,
);

/// 1/d.
#[cfg(target_arch = "x86_64")]
pub(crate) const INVERSE_D: GF25519 = GF25519::w64le(
    0x25e0_f276_cdc9_f843,
    0x0b5d_d698_4279_542e,
    0x2b16_2114_cdb9_cf66,
    0x4090_7ed2_14d5_ce43,
);

/// The square root of -1 that RFC 9496 chooses.
pub(crate) const SQRT_M1: GF25519 = GF25519::w64le(
    0xc4ee_1b27_4a0e_a0b0,
    0x2f43_1806_ad2f_e478,
    0x2b4d_0099_3dfb_d7a7,
    0x2b83_2480_4fc1_df0b,
);

/// A square root of 16 i a d.
pub(crate) const ROOT: GF25519 = GF25519::w64le(
    0x45de_939b_6e7a_d1ac,
    0xa5cb_a43a_c2af_2d5f,
    0x17fe_557e_90d8_9336,
    0x0180_e1f7_c61a_c882,
);

/// The inverse square root of a - d = -1 - d.
pub(crate) const INVSQRT_A_MINUS_D: GF25519 = GF25519::w64le(
    0x99c8_fdaa_805d_40ea,
    0x9d2f_1617_5a41_72be,
    0x16c2_7b91_fe01_d840,
    0x786c_8905_cfaf_fca2,
);

/// A mask of all ones if the value is odd, which RFC 9496 calls negative, otherwise zero.
pub(crate) fn is_negative(value: GF25519) -> u32 {
    let [low, ..] = value.encode();
    u32::from(low & 1).wrapping_neg()
}

/// The value or its negative, whichever is even.
pub(crate) fn abs(value: GF25519) -> GF25519 {
    let mut result = value;
    result.set_cond(&-value, is_negative(value));
    result
}

/// A square root of u/v, and all ones. If u/v is not a square, it is a square root of i*u/v, and
/// zero in the second place. Zero for v = 0. (`SQRT_RATIO_M1` of RFC 9496 section 4.2, except for
/// the sign of the root.)
pub(crate) fn sqrt_ratio(u: GF25519, v: GF25519) -> (GF25519, u32) {
    let v3 = v.square() * v;
    let v7 = v3.square() * v;
    let mut root = u * v3 * pow_p58(u * v7);
    let check = v * root.square();
    let is_root = check.equals(u);
    let is_flipped = check.equals(-u);
    let is_flipped_i = check.equals(-u * SQRT_M1);
    root.set_cond(&(root * SQRT_M1), is_flipped | is_flipped_i);
    (root, is_root | is_flipped)
}

/// The power (p - 5)/8 = 2^252 - 3.
pub(super) fn pow_p58(x: GF25519) -> GF25519 {
    // The power 2^n - 1, where `ones` is the power 2^m - 1 and `more` the power 2^(n-m) - 1.
    let join = |ones: GF25519, shift: u32, more: GF25519| ones.xsquare(shift) * more;
    let n2 = join(x, 1, x);
    let n4 = join(n2, 2, n2);
    let n5 = join(n4, 1, x);
    let n10 = join(n5, 5, n5);
    let n20 = join(n10, 10, n10);
    let n40 = join(n20, 20, n20);
    let n50 = join(n40, 10, n10);
    let n100 = join(n50, 50, n50);
    let n200 = join(n100, 100, n100);
    let n250 = join(n200, 50, n50);
    join(n250, 2, x)
}
