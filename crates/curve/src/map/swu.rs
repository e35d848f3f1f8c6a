//! The simplified map of Shallue, van de Woestijne and Ulas (RFC 9380 section 6.6.2), for P-256 and, behind an isogeny of
//! degree three, for secp256k1.

use crrl::field::{GFp256, GFsecp256k1};

use super::{MapToCurve, sum_of};
use crate::bytes::reversed_slice;
use crate::msm::{Field, Weierstrass};
use crate::{P256, Secp256k1};

/// A field with square roots, and the curve y^2 = x^3 + Ax + B over it to which the map goes.
trait Swu: Field {
    const A: Self;
    const B: Self;
    /// The map's constant, which is no square.
    const Z: Self;

    /// The integer of these big-endian bytes.
    fn reduce(bytes: &[u8]) -> Self;
    /// The even root and all ones, or zero and zero.
    fn root(self) -> (Self, u32);
    /// All ones for an odd integer (`sgn0`), otherwise zero.
    fn odd(self) -> u32;
}

/// Implements the functions of [`Swu`] over one of crrl's fields.
macro_rules! over_crrl {
    ($field:ty) => {
        fn reduce(bytes: &[u8]) -> Self {
            <$field>::decode_reduce(&reversed_slice(bytes))
        }

        fn root(self) -> (Self, u32) {
            self.sqrt()
        }

        fn odd(self) -> u32 {
            let [low, ..] = self.encode();
            u32::from(low & 1).wrapping_neg()
        }
    };
}

impl Swu for GFp256 {
    const A: Self = GFp256::w64le(0xffff_ffff_ffff_fffc, 0xffff_ffff, 0, 0xffff_ffff_0000_0001);
    const B: Self = GFp256::w64le(
        0x3bce_3c3e_27d2_604b,
        0x651d_06b0_cc53_b0f6,
        0xb3eb_bd55_7698_86bc,
        0x5ac6_35d8_aa3a_93e7,
    );
    /// −10
    const Z: Self = GFp256::w64le(0xffff_ffff_ffff_fff5, 0xffff_ffff, 0, 0xffff_ffff_0000_0001);

    over_crrl!(GFp256);
}

/// The curve with an isogeny to secp256k1 (RFC 9380 section 8.7).
impl Swu for GFsecp256k1 {
    const A: Self = GFsecp256k1::w64le(
        0x4054_47c0_1a44_4533,
        0xe953_d363_cb6f_0e5d,
        0xa08a_5558_f0f5_d272,
        0x3f87_31ab_dd66_1adc,
    );
    /// 1771
    const B: Self = GFsecp256k1::w64le(1771, 0, 0, 0);
    /// −11
    const Z: Self = GFsecp256k1::w64le(0xffff_fffe_ffff_fc24, u64::MAX, u64::MAX, u64::MAX);

    over_crrl!(GFsecp256k1);
}

/// The affine coordinates of the point of a field element.
fn simplified<F: Swu>(u: F) -> (F, F) {
    let zu2 = F::Z * u.square();
    let sum = zu2.square() + zu2;
    // x1 = −B/A·(1 + 1/sum), and B/(Z·A) if the sum is zero: one inverse of what is never zero.
    let mut denominator = -F::A * sum;
    denominator.replace_if(&(F::Z * F::A), u32::from(sum.is_zero()).wrapping_neg());
    let x1 = F::B * (F::one() + sum) * denominator.invert();
    let x2 = zu2 * x1;
    let g = |x: F| (x.square() + F::A) * x + F::B;
    let (y1, is_square) = g(x1).root();
    // Exactly one of the two is a square, unless both are zero.
    let (y2, _) = g(x2).root();
    let (mut x, mut y) = (x2, y2);
    x.replace_if(&x1, is_square);
    y.replace_if(&y1, is_square);
    // The roots are even.
    y.replace_if(&-y, u.odd());
    (x, y)
}

impl MapToCurve for P256 {
    const ELEMENT: usize = 48;

    fn map_to_curve(uniform: &[u8]) -> Option<Self::Point> {
        sum_of::<Self>(uniform, |bytes| {
            let (x, y) = simplified(GFp256::reduce(bytes));
            Self::from_projective([x, y, GFp256::ONE])
        })
    }
}

impl MapToCurve for Secp256k1 {
    const ELEMENT: usize = 48;

    fn map_to_curve(uniform: &[u8]) -> Option<Self::Point> {
        sum_of::<Self>(uniform, |bytes| {
            Self::from_projective(isogeny(simplified(GFsecp256k1::reduce(bytes))))
        })
    }
}

/// The isogeny of RFC 9380 appendix E.1, in projective coordinates. A point of its kernel goes to the neutral element.
fn isogeny((x, y): (GFsecp256k1, GFsecp256k1)) -> [GFsecp256k1; 3] {
    let at = |[a, b, c, d]: [GFsecp256k1; 4]| ((a * x + b) * x + c) * x + d;
    let (x_over, x_under) = (at(X_OVER), at(X_UNDER));
    let (y_over, y_under) = (at(Y_OVER), at(Y_UNDER));
    let z = x_under * y_under;
    let mut point = [x_over * y_under, y * y_over * x_under, z];
    let neutral = [GFsecp256k1::ZERO, GFsecp256k1::ONE, GFsecp256k1::ZERO];
    for (coordinate, neutral) in point.iter_mut().zip(&neutral) {
        coordinate.set_cond(neutral, z.iszero());
    }
    point
}

const ONE: GFsecp256k1 = GFsecp256k1::ONE;

/// Coefficients of x, the highest first.
const X_OVER: [GFsecp256k1; 4] = [
    GFsecp256k1::w64le(
        0x8e38_e38d_aaaa_a88c,
        0x38e3_8e38_e38e_38e3,
        0xe38e_38e3_8e38_e38e,
        0x8e38_e38e_38e3_8e38,
    ),
    GFsecp256k1::w64le(
        0x4ecb_d0b5_3d9d_d262,
        0xe450_6144_037c_4031,
        0xe2a4_13de_ca25_caec,
        0x534c_328d_23f2_34e6,
    ),
    GFsecp256k1::w64le(
        0xdfff_1044_f17c_6581,
        0xd595_d2fc_0bf6_3b92,
        0xb9f3_15ce_a7fd_44c5,
        0x07d3_d4c8_0bc3_21d5,
    ),
    GFsecp256k1::w64le(
        0x8e38_e38d_aaaa_a8c7,
        0x38e3_8e38_e38e_38e3,
        0xe38e_38e3_8e38_e38e,
        0x8e38_e38e_38e3_8e38,
    ),
];
const X_UNDER: [GFsecp256k1; 4] = [
    GFsecp256k1::ZERO,
    ONE,
    GFsecp256k1::w64le(
        0xc52a_5661_2a8c_6d14,
        0x06d3_6b64_1f5e_41bb,
        0xf7c4_b2d5_1b54_2254,
        0xedad_c6f6_4383_dc1d,
    ),
    GFsecp256k1::w64le(
        0x9fe6_b745_781e_b49b,
        0x86cd_4095_42f8_487d,
        0x9ca3_4ccb_b7b6_40dd,
        0xd357_7119_3d94_918a,
    ),
];
const Y_OVER: [GFsecp256k1; 4] = [
    GFsecp256k1::w64le(
        0x84bd_a12f_38e3_8d84,
        0xbda1_2f68_4bda_12f6,
        0xa12f_684b_da12_f684,
        0x2f68_4bda_12f6_84bd,
    ),
    GFsecp256k1::w64le(
        0xa765_e85a_9ece_e931,
        0x7228_30a2_01be_2018,
        0x7152_09ef_6512_e576,
        0x29a6_1946_91f9_1a73,
    ),
    GFsecp256k1::w64le(
        0xdffc_90fc_201d_71a3,
        0x647a_b046_d686_da6f,
        0xa9d0_a54b_12a0_a6d5,
        0xc75e_0c32_d5cb_7c0f,
    ),
    GFsecp256k1::w64le(
        0xa12f_684b_8e38_e23c,
        0x2f68_4bda_12f6_84bd,
        0x684b_da12_f684_bda1,
        0x4bda_12f6_84bd_a12f,
    ),
];
const Y_UNDER: [GFsecp256k1; 4] = [
    ONE,
    GFsecp256k1::w64le(
        0xa7bf_8192_bfd2_a76f,
        0x0a3d_2116_2f0d_6299,
        0xf3a7_0c3f_a8fe_337e,
        0x6484_aa71_6545_ca2c,
    ),
    GFsecp256k1::w64le(
        0xdfb4_25d2_685c_2573,
        0x9467_c1bf_c8e8_d978,
        0xd5e9_e663_2722_c298,
        0x7a06_534b_b8bd_b49f,
    ),
    GFsecp256k1::w64le(0xffff_fffe_ffff_f93b, u64::MAX, u64::MAX, u64::MAX),
];
