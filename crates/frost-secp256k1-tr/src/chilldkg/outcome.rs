//! The key of a run: SimplPedPop's sum, with BIP-341's tweak.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_frost::keys::derive::tap_tweak;
use quorate_frost::keys::{KeyTypes, SecretShare, SharedKey};
use quorate_frost::session::PartyId;
use quorate_frost::{Committee, Frost, ShareState};
use quorate_sharing::Commitment;

use super::error::Error;
use super::params::Params;
use super::wire::sum_of;
use super::{Point, Scalar};
use crate::taproot::{Sign, x_only};
use crate::{KeyShare, PublicKeyPackage, Secp256k1Taproot};

/// The commitment to the sum of all participants' polynomials, of the commitments to their constants and the sums of the
/// others.
pub(super) fn sum(constants: &[Point], others: &[Point]) -> Commitment<Secp256k1> {
    let constant = core::iter::once(sum_of(constants));
    Commitment::from_points(constant.chain(others.iter().copied()).collect())
}

/// The key of a commitment, whose constant was tweaked so that no script spends it (BIP-341).
pub(super) struct Outcome {
    /// The number that was added to every share.
    tweak: Scalar,
    commitment: Commitment<Secp256k1>,
    shares: Vec<Point>,
}

impl Outcome {
    /// The key of the sum of all commitments.
    ///
    /// # Errors
    /// [`Error::NeutralKey`] if the sum is infinity, [`Error::Internal`] for a hash that never happens.
    pub(super) fn of(sum: &Commitment<Secp256k1>, params: &Params) -> Result<Self, Error> {
        if Secp256k1::is_identity(sum.constant()) {
            return Err(Error::NeutralKey);
        }
        let key = sum.bytes().first().ok_or(Error::Internal)?;
        let tweak = tap_tweak(x_only(key), None).ok_or(Error::Internal)?;
        let tweaked = *sum.constant() + Secp256k1::mul_base(&tweak);
        let others = sum.points().iter().skip(1).copied();
        let commitment = Commitment::from_points(core::iter::once(tweaked).chain(others).collect());
        let shares = commitment.evaluate_all_vartime(params.parties().as_slice());
        Ok(Self { tweak, commitment, shares })
    }

    /// The share of the key, of the sum of the shares.
    pub(super) fn tweaked(&self, sum: &Secret<Scalar>) -> Secret<Scalar> {
        Secret::make(|| *sum.expose() + self.tweak)
    }

    /// A party's public share, and the same without the tweak.
    pub(super) fn share_of(&self, party: PartyId, params: &Params) -> Option<(Point, Point)> {
        let share = *self.shares.get(params.parties().position(party)?)?;
        Some((share, share - Secp256k1::mul_base(&self.tweak)))
    }

    /// Checks that there is such a key: none of its points is infinity. Call this before anybody signs for it.
    ///
    /// # Errors
    /// [`Error::NeutralKey`], [`Error::NeutralShare`].
    pub(super) fn check(&self, params: &Params) -> Result<(), Error> {
        if self.commitment.points().iter().any(Secp256k1::is_identity) {
            return Err(Error::NeutralKey);
        }
        let mut shares = params.parties().iter().zip(&self.shares);
        match shares.find(|(_, share)| Secp256k1::is_identity(share)) {
            Some((of, _)) => Err(Error::NeutralShare { of }),
            None => Ok(()),
        }
    }

    /// The key and the public shares as the draft gives them out, of either sign.
    pub(super) fn encoded(&self) -> ([u8; 33], Vec<[u8; 33]>) {
        let key = self.commitment.bytes().first().copied().unwrap_or([0; 33]);
        (key, Secp256k1::encode_points(&self.shares))
    }

    /// The key as this crate has it, with an even y-coordinate, and its share for a party that has one.
    ///
    /// # Errors
    /// [`Error::Committee`] for a threshold of 1, [`Error::NeutralKey`] unless it was [checked](Self::check).
    pub(super) fn keys(
        &self,
        params: &Params,
        share: Option<(PartyId, &Secret<Scalar>)>,
    ) -> Result<(PublicKeyPackage, Option<KeyShare>), Error> {
        let committee = Committee::new(params.parties().clone(), params.threshold())?;
        let sign = Sign::of_y(self.commitment.bytes().first().ok_or(Error::Internal)?);
        let points = self.commitment.points().iter().map(|point| sign.point(*point));
        let commitment = Commitment::from_points(points.collect());
        let neutral = |_| Error::NeutralKey;
        let shared = SharedKey::<Frost<Secp256k1Taproot>>::new(committee, 0, commitment, ());
        let shared = shared.map_err(neutral)?;
        let share = match share {
            None => None,
            Some((party, secret)) => {
                let secret = Secret::make(|| sign.scalar(*secret.expose()));
                // All participants have signed that theirs are right.
                let share = SecretShare::new(party, &shared, secret, ShareState::Ready);
                Some(Frost::key_share(share.map_err(|_| Error::Internal)?, &shared))
            }
        };
        Ok((Frost::public(shared), share))
    }
}

/// The draft's output, and its recovery data: for tests.
#[cfg(test)]
pub(super) struct Raw {
    pub(super) secret: Option<[u8; 32]>,
    pub(super) key: [u8; 33],
    pub(super) shares: Vec<[u8; 33]>,
    pub(super) data: Vec<u8>,
}
