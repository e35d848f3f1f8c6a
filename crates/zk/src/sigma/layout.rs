//! A proof as bytes: every part has a fixed length and one form.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural};
use quorate_curve::Curve;

use super::challenge::{Challenge, bytes};
use super::{Kind, Proof, Relation};
use crate::Fault;

/// A response, public: an exponent is an integer here.
pub(crate) enum Response<C: Curve> {
    Integer(Integer),
    /// Of a unit.
    Natural(Natural),
    Scalar(C::Scalar),
}

/// A proof taken apart.
pub(crate) struct Decoded<C: Curve> {
    pub(crate) challenge: Challenge,
    pub(crate) carried: Vec<Natural>,
    /// For each repetition, for each component.
    pub(crate) responses: Vec<Vec<Response<C>>>,
}

/// Bytes of a magnitude of at most `2^(a - 1)`.
const fn magnitude_bytes(a: u32) -> usize {
    a.div_ceil(8) as usize
}

impl Kind<'_> {
    /// Bytes of a response.
    fn bytes<C: Curve>(&self) -> usize {
        match self {
            Self::Integer { bits, slack } => 1 + magnitude_bytes(bits + slack),
            Self::Unit(key) => key.level().modulus_bytes(),
            Self::Exponent(setup) => setup.level().modulus_bytes(),
            Self::Scalar => C::encode_scalar(&C::Scalar::default()).as_ref().len(),
        }
    }

    fn write<C: Curve>(&self, response: &Response<C>, out: &mut Vec<u8>) {
        match response {
            Response::Integer(z) if matches!(self, Self::Exponent(_)) => {
                out.extend(bytes(z.magnitude(), self.bytes::<C>()));
            }
            // A response that does not fit is left out, so that the proof has a wrong length; the prover has
            // checked the interval before.
            Response::Integer(z) => {
                out.extend(z.to_be_bytes(self.bytes::<C>().saturating_sub(1)).unwrap_or_default());
            }
            Response::Natural(z) => out.extend(bytes(z, self.bytes::<C>())),
            Response::Scalar(z) => out.extend_from_slice(C::encode_scalar(z).as_ref()),
        }
    }

    /// Reads a response and holds it to its interval; that a number is a unit is looked at later, for many at once.
    fn read<C: Curve>(&self, name: &'static str, part: &[u8]) -> Result<Response<C>, Fault> {
        Ok(match self {
            Self::Integer { bits, slack } => {
                let z = Integer::from_be_bytes(part).map_err(|_| Fault::Encoding(name))?;
                if !z.in_half_range(bits.saturating_add(*slack)) {
                    return Err(Fault::Range(name));
                }
                Response::Integer(z)
            }
            Self::Unit(key) => {
                let z = Natural::from_be_bytes(part);
                if z.is_zero() || z >= *key.modulus().value() {
                    return Err(Fault::Unit(name));
                }
                Response::Natural(z)
            }
            Self::Exponent(setup) => {
                let z = Natural::from_be_bytes(part);
                if z >= *setup.modulus().value() {
                    return Err(Fault::Range(name));
                }
                Response::Integer(Integer::from(z))
            }
            Self::Scalar => Response::Scalar(C::decode_scalar(part).ok_or(Fault::Encoding(name))?),
        })
    }
}

impl<C: Curve> Relation<'_, C> {
    /// Bytes of a proof.
    #[must_use]
    pub fn proof_bytes(&self) -> usize {
        let carried: usize = self.carried().map(|setup| setup.level().modulus_bytes()).sum();
        let responses: usize =
            self.components.iter().map(|component| component.kind.bytes::<C>()).sum();
        self.challenge.bytes::<C>() + carried + self.challenge.repetitions() * responses
    }

    pub(crate) fn encode(&self, decoded: &Decoded<C>) -> Proof {
        let mut out = Vec::with_capacity(self.proof_bytes());
        out.extend_from_slice(&decoded.challenge.wire);
        for (setup, value) in self.carried().zip(&decoded.carried) {
            out.extend(bytes(value, setup.level().modulus_bytes()));
        }
        for responses in &decoded.responses {
            for (component, response) in self.components.iter().zip(responses) {
                component.kind.write(response, &mut out);
            }
        }
        Proof(out)
    }

    pub(crate) fn decode(&self, proof: &[u8]) -> Result<Decoded<C>, Fault> {
        if proof.len() != self.proof_bytes() {
            return Err(Fault::Length);
        }
        let mut rest = proof;
        let mut take = |len: usize| {
            let (part, left) = rest.split_at_checked(len).ok_or(Fault::Length)?;
            rest = left;
            Ok(part)
        };
        let challenge = self.challenge.read::<C>(take(self.challenge.bytes::<C>())?)?;
        let mut carried = Vec::new();
        for setup in self.carried() {
            let value = Natural::from_be_bytes(take(setup.level().modulus_bytes())?);
            if value.is_zero() || value >= *setup.modulus().value() {
                return Err(Fault::Unit("a commitment"));
            }
            carried.push(value);
        }
        let mut responses = Vec::with_capacity(self.challenge.repetitions());
        for _ in 0..self.challenge.repetitions() {
            let read = self.components.iter().map(|component| {
                component.kind.read(component.name, take(component.kind.bytes::<C>())?)
            });
            responses.push(read.collect::<Result<Vec<_>, Fault>>()?);
        }
        Ok(Decoded { challenge, carried, responses })
    }
}
