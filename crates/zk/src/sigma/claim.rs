//! A proof received, before anything is computed.

use alloc::vec::Vec;

use quorate_bignum::{Modulus, Natural};
use quorate_curve::Curve;

use super::layout::{Decoded, Response};
use super::{Check, Kind, Map, Relation, Statement, check_many};
use crate::{Context, Fault, Own};

/// A proof received: its form and all ranges are checked, that its numbers are units is not yet.
pub struct Claim<'a, C: Curve> {
    pub(super) relation: Relation<'a, C>,
    pub(super) context: Context<'a>,
    pub(super) own: Own<'a>,
    pub(super) proof: Decoded<C>,
}

impl<C: Curve> core::fmt::Debug for Claim<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("figure", &self.relation.figure).finish_non_exhaustive()
    }
}

impl<'a, C: Curve> Claim<'a, C> {
    /// Reads a proof. Nothing costly is done: a proof of another length is not looked at, and responses out of range
    /// never become exponents.
    ///
    /// # Errors
    /// [`Fault::Length`], [`Fault::Encoding`], [`Fault::Range`], [`Fault::Unit`] for a number that is zero or not
    /// below its modulus, [`Fault::Identity`].
    pub fn new<S: Statement<'a, C>>(
        statement: &S,
        proof: &[u8],
        context: Context<'a>,
        own: Own<'a>,
    ) -> Result<Self, Fault> {
        Self::of(statement.relation(), proof, context, own)
    }

    fn of(
        relation: Relation<'a, C>,
        proof: &[u8],
        context: Context<'a>,
        own: Own<'a>,
    ) -> Result<Self, Fault> {
        for map in &relation.maps {
            let Map::Point { terms, image } = map else { continue };
            if C::is_identity(image) || terms.iter().any(|(point, _)| C::is_identity(point)) {
                return Err(Fault::Identity);
            }
        }
        let proof = relation.decode(proof)?;
        Ok(Self { relation, context, own, proof })
    }

    /// The numbers that must be units, each with its modulus and its name.
    pub(super) fn units(&self) -> Vec<(&Modulus, &Natural, &'static str)> {
        let carried = self.relation.carried().zip(&self.proof.carried);
        let mut out: Vec<_> =
            carried.map(|(setup, value)| (setup.modulus(), value, "a commitment")).collect();
        for responses in &self.proof.responses {
            for (component, response) in self.relation.components.iter().zip(responses) {
                if let (Kind::Unit(key), Response::Natural(z)) = (component.kind, response) {
                    out.push((key.modulus(), z, component.name));
                }
            }
        }
        out
    }

    /// The check of this claim alone; for several, [`check_many`] is cheaper.
    ///
    /// # Errors
    /// [`Fault::Unit`], [`Fault::Statement`].
    pub fn check(self) -> Result<Check<'a, C>, Fault> {
        check_many([Ok(self)].into()).pop().unwrap_or(Err(Fault::Statement))
    }
}
