//! A proof as bytes: every part has a fixed length and one form.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural};
use quorate_paillier::{EncryptionKey, Pedersen};

use super::Proof;
use super::group::Group;
use super::relation::{ChallengeSet, Commitment, Component, Interval, Map, Relation};
use super::row::Row;
use super::transcript::{Challenge, bytes};
use crate::ProofFault;

/// The responses of one repetition, public: integers, units, scalars, exponents.
pub(crate) type Responses<C> = Row<Integer, Natural, <C as Group>::Scalar, Integer>;

/// A proof taken apart.
pub(crate) struct Decoded<C: Group> {
    pub(crate) challenge: Challenge,
    /// The prover's commitments: a list for each, of one value or of one for each statement.
    pub(crate) carried: Vec<Vec<Natural>>,
    /// For each repetition.
    pub(crate) responses: Vec<Responses<C>>,
}

impl Interval {
    /// Bytes of a response: a sign, and a magnitude of at most `2^(a - 1)`.
    const fn bytes(self) -> usize {
        1 + self.response_bits().div_ceil(8) as usize
    }

    fn read(self, part: &[u8]) -> Result<Integer, ProofFault> {
        let z = Integer::from_be_bytes(part).map_err(|_| ProofFault::Encoding(self.name))?;
        if z.in_half_range(self.response_bits()) {
            Ok(z)
        } else {
            Err(ProofFault::Range(self.name))
        }
    }
}

/// A part of a proof as it travels.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The name of the response in the paper; `"e"` for the challenge, `"a commitment"` for one of the prover's.
    pub name: &'static str,
    /// The length of the part in bytes.
    pub len: usize,
    /// The form that a verifier holds it to.
    pub form: Form<'a>,
}

/// The form of a part of a proof.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// A challenge.
    Challenge(ChallengeSet),
    /// A unit under this setup's modulus.
    Commitment(&'a Pedersen),
    /// An integer of `±2^bits`: a byte for the sign, then the magnitude.
    Integer {
        /// `|z| <= 2^(bits - 1)`.
        bits: u32,
    },
    /// A unit under this key.
    Unit(&'a EncryptionKey),
    /// A scalar of the curve.
    Scalar,
    /// A number below this setup's modulus.
    Exponent(&'a Pedersen),
}

impl<'a, C: Group> Relation<'a, C> {
    /// The parts of a proof, in their order.
    #[must_use]
    pub fn layout(&self) -> Vec<Part<'a>> {
        let challenge = Part {
            name: "e",
            len: self.challenge.bytes::<C>(),
            form: Form::Challenge(self.challenge),
        };
        let mut out: Vec<_> = [challenge].into();
        for one in &self.commitments {
            let len = one.setup.level().modulus_bytes();
            let part = Part { name: "a commitment", len, form: Form::Commitment(one.setup) };
            out.extend(core::iter::repeat_n(part, self.count(one.x)));
        }
        for _ in 0..self.challenge.repetitions() {
            out.extend(self.order.iter().map(|component| {
                let (name, form) = match *component {
                    Component::Integer(var) => {
                        let interval = self.kinds[var];
                        (interval.name, Form::Integer { bits: interval.response_bits() })
                    }
                    Component::Unit(var) => (self.kinds[var].0, Form::Unit(self.kinds[var].1)),
                    Component::Scalar(var) => (self.kinds[var], Form::Scalar),
                    Component::Exponent(var) => {
                        (self.kinds[var].0, Form::Exponent(self.kinds[var].1))
                    }
                };
                Part { name, len: self.response_bytes(*component), form }
            }));
        }
        out
    }

    /// Bytes of a proof.
    #[must_use]
    pub fn proof_bytes(&self) -> usize {
        let of_one = |one: &Commitment<'_>| {
            one.setup.level().modulus_bytes().saturating_mul(self.count(one.x))
        };
        let carried = self.commitments.iter().map(of_one);
        let responses = self.order.iter().map(|component| self.response_bytes(*component));
        self.challenge.bytes::<C>()
            + carried.sum::<usize>()
            + self.challenge.repetitions() * responses.sum::<usize>()
    }

    fn response_bytes(&self, component: Component) -> usize {
        match component {
            Component::Integer(var) => self.kinds[var].bytes(),
            Component::Unit(var) => self.kinds[var].1.level().modulus_bytes(),
            Component::Scalar(_) => C::scalar_bytes(),
            Component::Exponent(var) => self.kinds[var].1.level().modulus_bytes(),
        }
    }

    /// Bytes of an image that is a number.
    pub(crate) fn image_bytes(&self, map: &Map<'_, C>) -> usize {
        match map {
            Map::Paillier { key, .. } => key.level().ciphertext_bytes(),
            Map::Opened { setup, .. } => setup.level().modulus_bytes(),
            Map::Commitment(q) | Map::Product { q, .. } => {
                self.commitment(*q).setup.level().modulus_bytes()
            }
            Map::Root(x) => self.kinds[*x].1.level().modulus_bytes(),
            Map::Point { .. } => 0,
        }
    }

    pub(crate) fn encode(&self, decoded: &Decoded<C>) -> Proof {
        let mut out = Vec::with_capacity(self.proof_bytes());
        out.extend_from_slice(&decoded.challenge.wire);
        for (one, values) in self.commitments.iter().zip(&decoded.carried) {
            for value in values {
                out.extend(bytes(value, one.setup.level().modulus_bytes()));
            }
        }
        for responses in &decoded.responses {
            for component in &self.order {
                self.write(*component, responses, &mut out);
            }
        }
        Proof(out)
    }

    fn write(&self, component: Component, responses: &Responses<C>, out: &mut Vec<u8>) {
        let len = self.response_bytes(component);
        match component {
            // A response that does not fit is left out, so that the proof has a wrong length; the prover has
            // checked the interval before.
            Component::Integer(var) => {
                out.extend(responses[var].to_be_bytes(len.saturating_sub(1)).unwrap_or_default());
            }
            Component::Unit(var) => out.extend(bytes(&responses[var], len)),
            Component::Scalar(var) => {
                out.extend_from_slice(C::encode_scalar(&responses[var]).as_ref());
            }
            Component::Exponent(var) => out.extend(bytes(responses[var].magnitude(), len)),
        }
    }

    /// Reads a proof and checks that its responses are in their intervals. Whether numbers are units is checked
    /// later, for many at once.
    pub(crate) fn decode(&self, proof: &[u8]) -> Result<Decoded<C>, ProofFault> {
        if proof.len() != self.proof_bytes() {
            return Err(ProofFault::Length);
        }
        let mut rest = proof;
        let mut take = |len: usize| {
            let (part, left) = rest.split_at_checked(len).ok_or(ProofFault::Length)?;
            rest = left;
            Ok(part)
        };
        let challenge = self.read_challenge(take(self.challenge.bytes::<C>())?)?;
        let mut carried = Vec::new();
        for one in &self.commitments {
            let read = |_| {
                let value = Natural::from_be_bytes(take(one.setup.level().modulus_bytes())?);
                if value.is_zero() || value >= *one.setup.modulus().value() {
                    return Err(ProofFault::Unit("a commitment"));
                }
                Ok(value)
            };
            carried.push((0..self.count(one.x)).map(read).collect::<Result<Vec<_>, _>>()?);
        }
        let mut responses = Vec::with_capacity(self.challenge.repetitions());
        for _ in 0..self.challenge.repetitions() {
            let mut row = Responses::<C>::default();
            for component in &self.order {
                self.read(*component, take(self.response_bytes(*component))?, &mut row)?;
            }
            responses.push(row);
        }
        Ok(Decoded { challenge, carried, responses })
    }

    fn read(
        &self,
        component: Component,
        part: &[u8],
        row: &mut Responses<C>,
    ) -> Result<(), ProofFault> {
        match component {
            Component::Integer(var) => row.integers.push(self.kinds[var].read(part)?),
            Component::Unit(var) => {
                let (name, key) = self.kinds[var];
                let z = Natural::from_be_bytes(part);
                if z.is_zero() || z >= *key.modulus().value() {
                    return Err(ProofFault::Unit(name));
                }
                row.units.push(z);
            }
            Component::Scalar(var) => {
                let z = C::decode_scalar(part).ok_or(ProofFault::Encoding(self.kinds[var]))?;
                row.scalars.push(z);
            }
            Component::Exponent(var) => {
                let (name, setup) = self.kinds[var];
                let z = Natural::from_be_bytes(part);
                if z >= *setup.modulus().value() {
                    return Err(ProofFault::Range(name));
                }
                row.exponents.push(Integer::from(z));
            }
        }
        Ok(())
    }
}
