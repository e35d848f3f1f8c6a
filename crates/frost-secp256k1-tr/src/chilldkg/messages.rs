//! The messages of participants and coordinator.

use alloc::vec::Vec;

use super::error::Malformed;
use super::host::HostPublicKey;
use super::params::Params;
use super::schnorr::Signature;
use super::wire::{POINT, Parts, SCALAR, SIGNATURE, put_points, put_scalars};
use super::{Point, Scalar};

/// The message of a participant in step 1: 33·t + 64 + 33 + 32·n bytes.
pub(super) struct Contribution {
    /// a_0·G, …, a_(t−1)·G.
    pub(super) commitment: Vec<Point>,
    /// The proof that it knows a_0.
    pub(super) proof: Signature,
    /// The public nonce of the encryption, which is not decoded before it is used.
    pub(super) nonce: HostPublicKey,
    /// f(j) + pad, for each participant.
    pub(super) shares: Vec<Scalar>,
}

impl Contribution {
    fn length(params: &Params) -> usize {
        let points = params.coefficients().saturating_add(1).saturating_mul(POINT);
        points.saturating_add(SIGNATURE).saturating_add(params.count().saturating_mul(SCALAR))
    }

    pub(super) fn read(bytes: &[u8], params: &Params) -> Result<Self, Malformed> {
        let mut parts = Parts::of(bytes, Self::length(params))?;
        Ok(Self {
            commitment: parts.points(params.coefficients())?,
            proof: parts.array()?,
            nonce: parts.array()?,
            shares: parts.scalars(params.count())?,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_points(&mut bytes, &self.commitment);
        bytes.extend_from_slice(&self.proof);
        bytes.extend_from_slice(&self.nonce);
        put_scalars(&mut bytes, &self.shares);
        bytes
    }
}

/// The message of the coordinator to all in step 1: 162·n + 33·(t − 1) bytes.
pub(super) struct Sums {
    /// a_0·G of each participant.
    pub(super) constants: Vec<Point>,
    /// The sums of all participants' other commitments.
    pub(super) others: Vec<Point>,
    pub(super) proofs: Vec<Signature>,
    pub(super) nonces: Vec<HostPublicKey>,
    /// The sums of the encrypted shares for each participant.
    pub(super) shares: Vec<Scalar>,
}

impl Sums {
    pub(super) fn read(bytes: &[u8], params: &Params) -> Result<Self, Malformed> {
        let (n, others) = (params.count(), params.coefficients().saturating_sub(1));
        let each = POINT.saturating_mul(2).saturating_add(SIGNATURE).saturating_add(SCALAR);
        let length = n.saturating_mul(each).saturating_add(others.saturating_mul(POINT));
        let mut parts = Parts::of(bytes, length)?;
        Ok(Self {
            constants: parts.points(n)?,
            others: parts.points(others)?,
            proofs: parts.arrays(n)?,
            nonces: parts.arrays(n)?,
            shares: parts.scalars(n)?,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_points(&mut bytes, &self.constants);
        put_points(&mut bytes, &self.others);
        self.proofs.iter().for_each(|proof| bytes.extend_from_slice(proof));
        self.nonces.iter().for_each(|nonce| bytes.extend_from_slice(nonce));
        put_scalars(&mut bytes, &self.shares);
        bytes
    }
}

/// The message of the coordinator to one participant that investigates: 65·n bytes.
pub(super) struct SharesForOne {
    /// Each participant's encrypted share for it.
    pub(super) shares: Vec<Scalar>,
    /// Each participant's commitment at its place.
    pub(super) public_shares: Vec<Point>,
}

impl SharesForOne {
    pub(super) fn read(bytes: &[u8], count: usize) -> Result<Self, Malformed> {
        let mut parts = Parts::of(bytes, count.saturating_mul(POINT.saturating_add(SCALAR)))?;
        Ok(Self { shares: parts.scalars(count)?, public_shares: parts.points(count)? })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_scalars(&mut bytes, &self.shares);
        put_points(&mut bytes, &self.public_shares);
        bytes
    }
}
