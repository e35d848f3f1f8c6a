//! Four numbers modulo p = 2^255 - 19 in four lanes, by AVX2.
//!
//! A number is ten limbs of 26 and 25 bits in turn, and a little more: below 2^26 + 2^13 and 2^25 + 2^17. Where two odd
//! limbs meet, their product counts twice, as 25 + 25 bits are one less than the place that it goes to.

#![allow(clippy::indexing_slicing, reason = "loop counters below the arrays' lengths")]

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_blend_epi32, _mm256_blendv_epi8,
    _mm256_extract_epi64, _mm256_mul_epu32, _mm256_mullo_epi32, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_slli_epi64, _mm256_srli_epi64, _mm256_sub_epi32, _mm256_sub_epi64,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

use core::hint::black_box;
use core::sync::atomic::{Ordering, compiler_fence};

use crrl::field::GF25519;

/// Numbers in the lanes of a vector.
pub(super) const LANES: usize = 4;
/// One limb of four numbers.
pub(super) type V = __m256i;
/// Four numbers, with limbs that can be multiplied.
pub(super) type Number = [V; 10];
/// Four numbers, with limbs below 2^63.
pub(super) type Wide = [V; 10];

/// The low bits of even limbs and of odd limbs.
const LIMBS: [u64; 2] = [(1 << 26) - 1, (1 << 25) - 1];

/// A constant in every lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn splat(value: u64) -> V {
    _mm256_set1_epi64x(value.cast_signed())
}

/// Moves what is above 26 bits of an even limb to the next.
#[inline]
#[target_feature(enable = "avx2")]
fn carry_even(limbs: &mut Wide, k: usize) {
    limbs[k + 1] = _mm256_add_epi64(limbs[k + 1], _mm256_srli_epi64::<26>(limbs[k]));
    limbs[k] = _mm256_and_si256(limbs[k], splat(LIMBS[0]));
}

/// Moves what is above 25 bits of an odd limb, but not of the last, to the next.
#[inline]
#[target_feature(enable = "avx2")]
fn carry_odd(limbs: &mut Wide, k: usize) {
    limbs[k + 1] = _mm256_add_epi64(limbs[k + 1], _mm256_srli_epi64::<25>(limbs[k]));
    limbs[k] = _mm256_and_si256(limbs[k], splat(LIMBS[1]));
}

/// Moves what is above 25 bits of the last limb to the first, nineteen times, as 2^255 = 19.
#[inline]
#[target_feature(enable = "avx2")]
fn carry_last(limbs: &mut Wide) {
    let carry = _mm256_srli_epi64::<25>(limbs[9]);
    let twice = _mm256_add_epi64(carry, carry);
    let nineteen = _mm256_add_epi64(_mm256_add_epi64(carry, twice), _mm256_slli_epi64::<4>(carry));
    limbs[0] = _mm256_add_epi64(limbs[0], nineteen);
    limbs[9] = _mm256_and_si256(limbs[9], splat(LIMBS[1]));
}

/// Limbs below 2^26 + 2^13 and 2^25 + 2^17 in turn from limbs below 2^63.
///
/// There are two chains, side by side: from limb 0 to 5 and from limb 5 to 0, and each takes one step more. Limb 5 gets
/// less than 2^38 in the first chain, so limb 6 gets less than 2^13 of it. Limb 0 gets less than 19 · 2^39 in the second
/// chain, so limb 1 gets less than 2^17 + 1 of it. The other limbs get nothing after they were cut.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn carried(limbs: &Wide) -> Number {
    let mut out = *limbs;
    carry_even(&mut out, 0);
    carry_odd(&mut out, 5);
    carry_odd(&mut out, 1);
    carry_even(&mut out, 6);
    carry_even(&mut out, 2);
    carry_odd(&mut out, 7);
    carry_odd(&mut out, 3);
    carry_even(&mut out, 8);
    carry_even(&mut out, 4);
    carry_last(&mut out);
    carry_odd(&mut out, 5);
    carry_even(&mut out, 0);
    out
}

/// Adds limb `I` of `a` times all limbs of `b` to the columns of a product. `twice` is that limb once or, if it is odd,
/// twice, and `back` are the limbs of `b` nineteen times.
#[inline]
#[target_feature(enable = "avx2")]
fn add_row<const I: usize>(columns: &mut Wide, a: &Number, b: &Number, back: &Number) {
    // See `product`.
    compiler_fence(Ordering::SeqCst);
    let once = a[I];
    let twice = if I & 1 == 1 { _mm256_add_epi64(once, once) } else { once };
    for j in 0..10 {
        let by = if j & 1 == 1 { twice } else { once };
        let (k, b) = if I + j < 10 { (I + j, b[j]) } else { (I + j - 10, back[j]) };
        columns[k] = _mm256_add_epi64(columns[k], _mm256_mul_epu32(by, b));
    }
}

/// The products of numbers, of which `a` is carried, and the limbs of `b` are below 2^27 and 2^26 in turn.
///
/// With both carried, the limbs of the product are below 2^59 and 2^58.3 in turn: the largest are limb 0, below 124.6
/// times 2^52, and limb 1, below 154 times 2^51.01. With larger limbs of `b` they are twice that.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn product(a: &Number, b: &Number) -> Wide {
    // In 32 bits, as 19 · 2^27 is below 2^32.
    let mut back = [_mm256_setzero_si256(); 10];
    for k in 1..10 {
        back[k] = _mm256_mullo_epi32(b[k], splat(19));
    }
    // The compiler does not know where these are, and reads a limb again for each row. Otherwise it keeps the limbs in
    // registers, and the columns, which are used twice as often, in memory.
    let (b, back) = (black_box(b), black_box(&back));
    let mut columns = [_mm256_setzero_si256(); 10];
    add_row::<0>(&mut columns, a, b, back);
    add_row::<1>(&mut columns, a, b, back);
    add_row::<2>(&mut columns, a, b, back);
    add_row::<3>(&mut columns, a, b, back);
    add_row::<4>(&mut columns, a, b, back);
    add_row::<5>(&mut columns, a, b, back);
    add_row::<6>(&mut columns, a, b, back);
    add_row::<7>(&mut columns, a, b, back);
    add_row::<8>(&mut columns, a, b, back);
    add_row::<9>(&mut columns, a, b, back);
    columns
}

/// The squares. They are too few for a function of their own.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn square(a: &Number) -> Wide {
    product(a, a)
}

/// The sums, limb by limb.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn total(a: &Wide, b: &Wide) -> Wide {
    let mut out = *a;
    for k in 0..10 {
        out[k] = _mm256_add_epi64(a[k], b[k]);
    }
    out
}

/// The differences, where the limbs of `a` are below 2^62, and those of `b` below 2^61 and 2^60 in turn. The limbs of
/// 2^36 p are added, just below 2^62 and 2^61, so that none is negative.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn difference(a: &Wide, b: &Wide) -> Wide {
    let mut out = *a;
    for k in 0..10 {
        let limb = if k == 0 { LIMBS[0] - 18 } else { LIMBS[k & 1] };
        out[k] = _mm256_sub_epi64(_mm256_add_epi64(a[k], splat(limb << 36)), b[k]);
    }
    out
}

/// The limbs of a number below 2^255 of 32 bytes, the lowest first.
fn limbs(bytes: &[u8; 32]) -> [u64; 10] {
    let (words, _) = bytes.as_chunks::<8>();
    let [a, b, c, d] = core::array::from_fn(|k| words.get(k).map_or(0, |w| u64::from_le_bytes(*w)));
    let [even, odd] = LIMBS;
    [
        a & even,
        (a >> 26) & odd,
        ((a >> 51) | (b << 13)) & even,
        (b >> 13) & odd,
        b >> 38,
        c & odd,
        (c >> 25) & even,
        ((c >> 51) | (d << 13)) & odd,
        (d >> 12) & even,
        (d >> 38) & odd,
    ]
}

/// A limb in each lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn four_lanes([a, b, c, d]: [u64; 4]) -> V {
    _mm256_set_epi64x(d.cast_signed(), c.cast_signed(), b.cast_signed(), a.cast_signed())
}

/// These numbers, each of 32 bytes, of which the highest bit is left out.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_bytes(bytes: &[[u8; 32]; 4]) -> Number {
    let [a, b, c, d] = bytes;
    let (a, b, c, d) = (limbs(a), limbs(b), limbs(c), limbs(d));
    let mut number = [splat(0); 10];
    for (k, limb) in number.iter_mut().enumerate() {
        *limb = four_lanes([a[k], b[k], c[k], d[k]]);
    }
    number
}

/// Four times this number.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn constant(value: &GF25519) -> Number {
    limbs(&value.encode()).map(|limb| splat(limb))
}

/// The number of these limbs.
fn number(limbs: &[u64; 10]) -> GF25519 {
    let mut cut = *limbs;
    let mut carry = 0;
    for (limb, bits) in cut.iter_mut().zip([26u32, 25].into_iter().cycle()) {
        let sum = *limb + carry;
        carry = sum >> bits;
        *limb = sum & ((1 << bits) - 1);
    }
    let [a, b, c, d, e, f, g, h, i, j] = cut;
    GF25519::w64le(
        a | (b << 26) | (c << 51),
        (c >> 13) | (d << 13) | (e << 38),
        f | (g << 25) | (h << 51),
        (h >> 13) | (i << 12) | (j << 38),
    ) + GF25519::w64le(19 * carry, 0, 0, 0)
}

/// The four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn lanes(v: V) -> [u64; 4] {
    [
        _mm256_extract_epi64::<0>(v).cast_unsigned(),
        _mm256_extract_epi64::<1>(v).cast_unsigned(),
        _mm256_extract_epi64::<2>(v).cast_unsigned(),
        _mm256_extract_epi64::<3>(v).cast_unsigned(),
    ]
}

/// The numbers, as the field's.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn numbers(four: &Number) -> [GF25519; 4] {
    let limbs = four.map(|limb| lanes(limb));
    core::array::from_fn(|lane| number(&limbs.map(|limb| limb[lane])))
}

/// The limbs of four numbers in one place of memory, two in 64 bits.
pub(super) type Row = [V; 5];

/// Rows to columns, of four times four.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transposed([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d));
    let (ab2, cd2) = (_mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d));
    [
        _mm256_permute2x128_si256::<0x20>(ab, cd),
        _mm256_permute2x128_si256::<0x20>(ab2, cd2),
        _mm256_permute2x128_si256::<0x31>(ab, cd),
        _mm256_permute2x128_si256::<0x31>(ab2, cd2),
    ]
}

/// Two limbs in 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pack(low: V, high: V) -> V {
    _mm256_or_si256(low, _mm256_slli_epi64::<32>(high))
}

/// Two limbs from 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn unpack(pair: V) -> [V; 2] {
    [_mm256_blend_epi32::<0xaa>(pair, _mm256_setzero_si256()), _mm256_srli_epi64::<32>(pair)]
}

/// Pairs of limbs in 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn packed(number: &Number) -> [V; 5] {
    let mut pairs = [number[0]; 5];
    for (k, pair) in pairs.iter_mut().enumerate() {
        *pair = pack(number[2 * k], number[2 * k + 1]);
    }
    pairs
}

/// Each limb in 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn unpacked(pairs: &[V; 5]) -> Number {
    let mut number = [pairs[0]; 10];
    for (k, pair) in pairs.iter().enumerate() {
        [number[2 * k], number[2 * k + 1]] = unpack(*pair);
    }
    number
}

/// Each lane's limbs in a row.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn to_rows([p, q, r, s]: &[Number; 4]) -> [Row; 4] {
    let (p, q, r, s) = (packed(p), packed(q), packed(r), packed(s));
    let a = transposed([p[0], p[1], p[2], p[3]]);
    let b = transposed([p[4], q[0], q[1], q[2]]);
    let c = transposed([q[3], q[4], r[0], r[1]]);
    let d = transposed([r[2], r[3], r[4], s[0]]);
    let e = transposed([s[1], s[2], s[3], s[4]]);
    let mut rows = [[a[0]; 5]; 4];
    for (lane, row) in rows.iter_mut().enumerate() {
        *row = [a[lane], b[lane], c[lane], d[lane], e[lane]];
    }
    rows
}

/// All ones in these lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn mask([a, b, c, d]: &[bool; 4]) -> V {
    let (a, b, c, d) = (i64::from(*a), i64::from(*b), i64::from(*c), i64::from(*d));
    _mm256_set_epi64x(-d, -c, -b, -a)
}

/// The vectors at one place of the rows. A loop, since `map` lacks the target features and would call its closure for each.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn column<const N: usize>(rows: &[&[V; N]; 4], place: usize) -> [V; 4] {
    let mut parts = [rows[0][place]; 4];
    for (part, row) in parts.iter_mut().zip(rows) {
        *part = row[place];
    }
    parts
}

/// The numbers whose limbs are in these rows, a row for each lane: four in their order, but for the negative ones the
/// second, the first, the third and the opposite of the fourth, as 2p less it. All are carried but that.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_rows(rows: &[&Row; 4], negative: &[bool; 4]) -> [Number; 4] {
    let [p0, p1, p2, p3] = transposed(column(rows, 0));
    let [p4, q0, q1, q2] = transposed(column(rows, 1));
    let [q3, q4, r0, r1] = transposed(column(rows, 2));
    let [r2, r3, r4, s0] = transposed(column(rows, 3));
    let [s1, s2, s3, s4] = transposed(column(rows, 4));
    let (p, q, s) = ([p0, p1, p2, p3, p4], [q0, q1, q2, q3, q4], [s0, s1, s2, s3, s4]);
    let mask = mask(negative);
    let or = |these: &[V; 5], others: &[V; 5]| {
        let mut out = *these;
        for (out, other) in out.iter_mut().zip(others) {
            *out = _mm256_blendv_epi8(*out, *other, mask);
        }
        out
    };
    let [even, odd] = [2 * LIMBS[0], 2 * LIMBS[1]];
    let mut opposite = s;
    for (k, pair) in opposite.iter_mut().enumerate() {
        let lowest = if k == 0 { even - 36 } else { even };
        *pair = _mm256_sub_epi32(splat(lowest | (odd << 32)), *pair);
    }
    [
        unpacked(&or(&p, &q)),
        unpacked(&or(&q, &p)),
        unpacked(&[r0, r1, r2, r3, r4]),
        unpacked(&or(&s, &opposite)),
    ]
}
