//! Signatures and their encoding (FIPS 204, §7.2). All of it is public.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::wire::bounded;

use crate::error::DecodeError;
use crate::level::Level;
use crate::packing::{put_response, response};
use crate::poly::{N, Poly};

/// A signature of FIPS 204: c̃, z and h.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature {
    pub(crate) level: Level,
    /// c̃
    pub(crate) challenge: Vec<u8>,
    /// z
    pub(crate) response: Vec<Poly>,
    /// h
    pub(crate) hint: Hint,
}

/// A hint: for each of k polynomials the ascending positions of its ones.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Hint(Vec<Vec<u8>>);

impl Signature {
    /// Reads the encoding of FIPS 204, strictly (sigDecode, Algorithm 27).
    ///
    /// The verification checks whether z is short enough.
    ///
    /// # Errors
    /// [`DecodeError`] for a wrong length, or a hint that is not in its canonical form.
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        let (expected, got) = (level.signature_len(), bytes.len());
        let wrong = DecodeError::WrongLength { expected, got };
        if got != expected {
            return Err(wrong);
        }
        let (challenge, rest) = bytes.split_at_checked(level.challenge_len()).ok_or(wrong)?;
        let z = level.l() * level.response_len();
        let (z, hint) = rest.split_at_checked(z).ok_or(wrong)?;
        Ok(Self {
            level,
            challenge: challenge.to_vec(),
            response: z.chunks(level.response_len()).map(|poly| response(poly, level)).collect(),
            hint: Hint::unpack(level, hint).ok_or(DecodeError::BadHint)?,
        })
    }

    /// The encoding of FIPS 204 (sigEncode, Algorithm 26).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.level.signature_len());
        bytes.extend_from_slice(&self.challenge);
        self.response.iter().for_each(|z| put_response(&mut bytes, self.level, z));
        self.hint.put(&mut bytes, self.level);
        bytes
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }
}

/// Prints the first sixteen bytes in hexadecimal digits.
impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({}, ", self.level)?;
        self.challenge.iter().take(16).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("…)")
    }
}

impl Hint {
    /// The hint with these ones.
    pub(crate) const fn new(rows: Vec<Vec<u8>>) -> Self {
        Self(rows)
    }

    /// For each polynomial, one flag for each coefficient: whether the hint has a one there.
    pub(crate) fn rows(&self) -> impl Iterator<Item = [bool; N]> + '_ {
        self.0.iter().map(|row| {
            let mut ones = [false; N];
            for at in row {
                if let Some(one) = ones.get_mut(usize::from(*at)) {
                    *one = true;
                }
            }
            ones
        })
    }

    /// HintBitPack (Algorithm 20).
    fn put(&self, out: &mut Vec<u8>, level: Level) {
        let start = out.len();
        self.0.iter().for_each(|row| out.extend_from_slice(row));
        out.resize(start.saturating_add(level.omega()), 0);
        let mut end = 0_usize;
        for row in &self.0 {
            // There are at most ω ones, and ω is at most 80.
            end += row.len();
            out.push(bounded(end));
        }
    }

    /// HintBitUnpack (Algorithm 21).
    fn unpack(level: Level, bytes: &[u8]) -> Option<Self> {
        let (positions, ends) = bytes.split_at_checked(level.omega())?;
        let mut rows = Vec::with_capacity(level.k());
        let mut start = 0;
        for end in ends {
            let end = usize::from(*end);
            let row = positions.get(start..end)?;
            if !row.iter().zip(row.iter().skip(1)).all(|(a, b)| a < b) {
                return None;
            }
            rows.push(row.to_vec());
            start = end;
        }
        positions.get(start..)?.iter().all(|rest| *rest == 0).then_some(Self(rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hint of level 44 in its encoding, with ones at these positions and the ends of its rows.
    fn unpack(positions: &[u8], ends: [u8; 4]) -> Option<Hint> {
        let mut bytes = positions.to_vec();
        bytes.resize(80, 0);
        bytes.extend_from_slice(&ends);
        let hint = Hint::unpack(Level::MlDsa44, &bytes)?;
        let mut again = Vec::new();
        hint.put(&mut again, Level::MlDsa44);
        assert_eq!(again, bytes);
        Some(hint)
    }

    #[test]
    fn a_hint_has_one_form() {
        assert!(unpack(&[], [0; 4]).is_some());
        assert!(unpack(&[3, 9, 0, 255, 7], [2, 4, 4, 5]).is_some());
        let full: Vec<u8> = (0..80).collect();
        assert!(unpack(&full, [80; 4]).is_some());
        // Out of order, twice, ends that descend, more than ω, nonzero bytes in the rest.
        assert!(unpack(&[9, 3], [2; 4]).is_none());
        assert!(unpack(&[3, 3], [2; 4]).is_none());
        assert!(unpack(&[3, 9, 11], [2, 1, 3, 3]).is_none());
        assert!(unpack(&full, [80, 80, 80, 81]).is_none());
        assert!(unpack(&[3, 9, 11], [2, 2, 2, 2]).is_none());
    }
}
