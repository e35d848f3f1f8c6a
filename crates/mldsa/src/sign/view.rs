//! The public view of an attempt, and the checks of the messages of others. Evidence is judged by it as well.

use alloc::vec::Vec;

use quorate_session::{BodyDigest, Fault, PartyId, PerParty, frame};

use crate::field::centered;
use crate::matrix::Matrix;
use crate::packing::{all_full, put_response, read_response};
use crate::poly::{Ntt, Poly, transform_all, untransformed, zeros};
use crate::rounding::high_bits;
use crate::sample::challenge_vartime;
use crate::set::ParameterSet;
use crate::sign::terms::{COMMITMENT, Terms, bitmap_len, opening_len};
use crate::verify::commitment_hash;

/// The commitment h_i of a party to its w of all slots, by their digest: a hash that binds the session, the signers, the
/// key, the message, and the party.
///
/// It hides: whoever does not know the key of 256 bits that the masks follow from cannot guess the w, and so not their
/// digest. Nobody has the digest before w is opened.
pub(crate) fn commitment(
    context: &[u8; 32],
    party: PartyId,
    opening: BodyDigest,
) -> [u8; COMMITMENT] {
    let mut transcript = frame::transcript(context, "quorate-mldsa commitment");
    transcript.append_u64("party", party.get().into());
    transcript.append("w", opening.as_ref());
    transcript.finish()
}

/// Reads a commitment.
pub(crate) fn read_commitment(body: &[u8]) -> Result<[u8; COMMITMENT], Fault> {
    body.try_into().map_err(|_| Fault::WrongLength)
}

/// Checks and reads the w of all slots that a party opens: their length, their commitment, and that every coefficient is
/// below q. The digest is that of the body.
pub(crate) fn read_opening(
    set: &ParameterSet,
    context: &[u8; 32],
    party: PartyId,
    committed: &[u8; COMMITMENT],
    (body, digest): (&[u8], BodyDigest),
) -> Result<Vec<Poly>, Fault> {
    if body.len() != opening_len(set) {
        return Err(Fault::WrongLength);
    }
    if commitment(context, party, digest) != *committed {
        return Err(Fault::InvalidDecommitment);
    }
    // Two forms of a public value would give the same sum.
    all_full(body).ok_or(Fault::Malformed)
}

/// A slot after all commitments are opened.
pub(crate) struct Slot {
    /// w = Σ w_j, with coefficients from 0 to q − 1.
    pub(crate) w: Vec<Poly>,
    /// c̃
    pub(crate) hash: Vec<u8>,
    /// c, transformed.
    pub(crate) c: Ntt,
}

/// The slots of an attempt, and the opened values of each party.
pub(crate) struct View {
    pub(crate) slots: Vec<Slot>,
    /// w_j of each party, k polynomials for each slot.
    openings: PerParty<Vec<Poly>>,
}

impl View {
    /// The view after round 2, from openings that were read. `None` if one of them is too short.
    pub(crate) fn new(terms: &Terms, openings: PerParty<Vec<Poly>>) -> Option<Self> {
        let level = terms.set().level;
        let mut slots = Vec::with_capacity(terms.set().slots.into());
        let mut w1 = zeros(level.k());
        for slot in 0..usize::from(terms.set().slots) {
            let opened = openings.values().map(|opening| opened(level.k(), opening, slot));
            let opened = opened.collect::<Option<Vec<_>>>()?;
            let mut w = zeros(level.k());
            for (row, (w, w1)) in w.iter_mut().zip(&mut w1).enumerate() {
                w.set_sum(opened.iter().filter_map(|opened| opened.get(row)));
                w1.set_each(w, |a| high_bits(level, a));
            }
            let hash = commitment_hash(level, &terms.mu, &w1);
            let c = challenge_vartime(level, &hash).ntt();
            slots.push(Slot { w, hash, c });
        }
        Some(Self { slots, openings })
    }

    /// Reads and checks a party's responses. For each accepted slot, z2 = w_j + c·Σ t_S − A·z1 has to be short
    /// together with z1. For an honest party z2 is c·s2 + e.
    pub(crate) fn verify_response(
        &self,
        terms: &Terms,
        party: PartyId,
        body: &[u8],
    ) -> Result<Response, Fault> {
        let response = Response::read(terms.set(), body)?;
        let opening = self.openings.get(party).ok_or(Fault::Malformed)?;
        let image = terms.image(party);
        let level = terms.set().level;
        let (mut transformed, mut z2) = (untransformed(level.l()), zeros(level.k()));
        for ((index, slot), z1) in self.slots.iter().enumerate().zip(&response.0) {
            let Some(z1) = z1 else { continue };
            let w = opened(level.k(), opening, index).ok_or(Fault::Malformed)?;
            transform_all(&mut transformed, z1);
            second(&mut z2, (&terms.a, &transformed), (&slot.c, &image), w);
            if !is_short(terms.set(), z1, &z2) {
                return Err(Fault::InvalidSignatureShare);
            }
        }
        Ok(response)
    }
}

/// The w of a slot in an opening.
fn opened(k: usize, opening: &[Poly], slot: usize) -> Option<&[Poly]> {
    opening.chunks_exact(k).nth(slot)
}

/// z2 = w + c·t − A·z1 mod± q, of transforms of z1, c and t.
fn second(z2: &mut [Poly], (a, z1): (&Matrix, &[Ntt]), (c, t): (&Ntt, &[Ntt]), w: &[Poly]) {
    for ((z2, row), (t, w)) in z2.iter_mut().zip(a.rows()).zip(t.iter().zip(w)) {
        z2.set_products_and(row, z1, Some([c, t]), &w.0, |product, w| centered(w - product));
    }
}

/// Returns whether ‖z1/ν‖² + ‖z2‖² ≤ (r + ½√(256(k + ℓ/ν²)))², computed in integers with both sides times (2ν)².
/// The second term is the most that the rounding of a mask adds.
pub(crate) fn is_short(set: &ParameterSet, z1: &[Poly], z2: &[Poly]) -> bool {
    let twice = u64::from(set.twice_stretch);
    let [k, l] = [set.level.k(), set.level.l()].map(|length| length as u64);
    // 2ν·½√(256(k + ℓ/ν²)), rounded up.
    let rounding = (64 * (twice * twice * k + 4 * l)).isqrt() + 1;
    let bound = twice * u64::from(set.radius) + rounding;
    // At most 4·7 + 16²·8 times 256·2^44, below 2^64.
    4 * square(z1) + twice * twice * square(z2) <= bound * bound
}

/// The square of the norm, of coefficients below 2^22.
fn square(vector: &[Poly]) -> u64 {
    vector.iter().map(Poly::square).sum()
}

/// A party's responses: z1 for each slot that it has accepted.
pub(crate) struct Response(pub(crate) Vec<Option<Vec<Poly>>>);

impl Response {
    /// Reads a bit for each slot, where the first slot is the lowest bit of the first byte, and the z1 of each
    /// accepted slot.
    fn read(set: &ParameterSet, body: &[u8]) -> Result<Self, Fault> {
        let (bits, rest) = body.split_at_checked(bitmap_len(set)).ok_or(Fault::WrongLength)?;
        let bits: Vec<bool> =
            bits.iter().flat_map(|byte| (0..8).map(move |at| byte >> at & 1 == 1)).collect();
        let (slots, unused) = bits.split_at_checked(set.slots.into()).ok_or(Fault::WrongLength)?;
        if unused.contains(&true) {
            return Err(Fault::Malformed);
        }
        let length = set.level.response_len();
        let accepted = slots.iter().filter(|accepted| **accepted).count();
        if rest.len() != accepted * set.level.l() * length {
            return Err(Fault::WrongLength);
        }
        let mut packed = rest.chunks(length);
        let mut z1 = || {
            let mut z1 = zeros(set.level.l());
            for (z, bytes) in z1.iter_mut().zip(&mut packed) {
                read_response(z, bytes, set.level);
            }
            z1
        };
        Ok(Self(slots.iter().map(|accepted| accepted.then(&mut z1)).collect()))
    }

    /// Encodes the body of a message, in the form that is read.
    pub(crate) fn to_bytes(&self, set: &ParameterSet) -> Vec<u8> {
        let z1 = self.accepted() * set.level.l() * set.level.response_len();
        let mut body = Vec::with_capacity(bitmap_len(set) + z1);
        body.resize(bitmap_len(set), 0);
        for (byte, slots) in body.iter_mut().zip(self.0.chunks(8)) {
            *byte = slots.iter().rev().fold(0, |bits, z1| bits << 1 | u8::from(z1.is_some()));
        }
        for z1 in self.0.iter().flatten().flatten() {
            put_response(&mut body, set.level, z1);
        }
        body
    }

    /// The number of accepted slots.
    pub(crate) fn accepted(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::model::sets;
    use crate::profile::Profile;

    /// For every set, the greatest coefficients that are short, alone in z1 and alone in z2, and one more. The
    /// largest possible coefficients, in all places at once, do not overflow.
    #[test]
    fn a_response_is_short_up_to_its_radius_and_the_rounding() {
        let tables = Level::ALL.into_iter().flat_map(|l| Profile::ALL.map(|profile| (profile, l)));
        for (shape, set) in tables.flat_map(|(profile, level)| sets(profile, level)) {
            let [k, l] = [set.level.k(), set.level.l()];
            let nu = set.stretch();
            let rounding = 0.5 * (256.0 * (k as f64 + l as f64 / (nu * nu))).sqrt();
            let bound = f64::from(set.radius) + rounding;
            let short = |z1: i32, z2: i32| {
                let (mut first, mut second) = (zeros(l), zeros(k));
                (first[l - 1].0[255], second[0].0[0]) = (z1, z2);
                is_short(&set, &first, &second)
            };
            let [first, second] =
                [nu * bound, bound].map(|bound| crate::float::nearest(bound.floor()));
            assert!(short(first, 0) && short(0, second) && short(-first, 0) && short(0, -second));
            // The square root is rounded up by at most one, which is one half or one over ν.
            assert!(!short(first + 2, 0) && !short(0, second + 2), "{shape:?}");
            // Together they are longer than alone.
            assert!(!short(first - (first >> 2), second - (second >> 2)));
            let full = |value, length| alloc::vec![Poly([value; 256]); length];
            let edge = crate::field::Q >> 1;
            assert!(!is_short(&set, &full(edge, l), &full(-edge, k)));
        }
    }
}
