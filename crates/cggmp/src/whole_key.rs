//! The whole key in one place: a trusted dealer, and putting a key together again.
//!
//! The caller of these functions **has the key**, on a machine that can be broken into, which is
//! what threshold signing avoids. They are here to bring in a key that exists already, to take one
//! out for good, and for tests.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_keys::{Committee, ShareState, SharedKey};
use quorate_session::{Parties, PartyId};
use quorate_sharing::{Polynomial, lagrange};
use rand_core::CryptoRng;

use crate::{EcdsaCurve, KeyExtra, KeyInfo, KeyShare, MAX_PARTIES, WholeKeyError};

/// Deals a secret key among `parties`, any `threshold` of which will be able to sign: one share
/// for each, in the order of the parties, to be sent over confidential channels.
///
/// A `chain_code` that the key has already is kept; without one, it is drawn. Nobody can check that
/// a dealer forgets the key.
///
/// # Errors
/// [`WholeKeyError`] for a threshold that does not fit, too many parties, the key zero, or a
/// generator that gives zeros only.
pub fn deal<C: EcdsaCurve>(
    secret: &Secret<C::Scalar>,
    chain_code: Option<[u8; 32]>,
    threshold: u16,
    parties: &Parties,
    rng: &mut impl CryptoRng,
) -> Result<Vec<KeyShare<C>>, WholeKeyError> {
    let committee = Committee::new(parties.clone(), threshold);
    let committee = committee.map_err(|_| WholeKeyError::BadThreshold)?;
    if parties.len() > MAX_PARTIES {
        return Err(WholeKeyError::TooManyParties);
    }
    if *secret.expose() == C::Scalar::default() {
        return Err(WholeKeyError::ZeroKey);
    }
    let mut draw = || {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        bytes
    };
    let (drawn, rid) = (draw(), draw());
    let polynomial = Polynomial::<C>::with_constant(secret.expose(), threshold, rng)
        .map_err(|_| WholeKeyError::Randomness)?;
    let extra = KeyExtra { chain_code: chain_code.unwrap_or(drawn), rid };
    let info = SharedKey::new(committee, 0, polynomial.commit(), extra);
    let info = KeyInfo::from(info.map_err(|_| WholeKeyError::Inconsistent)?);
    let shares = polynomial.evaluate_many(parties.as_slice());
    let share = |(party, share): (PartyId, &C::Scalar)| {
        KeyShare::new(party, info.clone(), Secret::new(*share), ShareState::Ready)
    };
    let shares = parties.iter().zip(shares.expose()).map(share).collect::<Result<_, _>>();
    shares.map_err(|_| WholeKeyError::Inconsistent)
}

/// Puts the secret key together from at least t shares of one epoch. The key is then as safe as
/// this machine, and no longer shared.
///
/// # Errors
/// [`WholeKeyError`] for too few shares, two of one party, or shares that do not belong together.
pub fn reconstruct<C: EcdsaCurve>(
    shares: &[KeyShare<C>],
) -> Result<Secret<C::Scalar>, WholeKeyError> {
    let first = shares.first().ok_or(WholeKeyError::TooFew { got: 0, need: 2 })?;
    if shares.iter().any(|share| share.info().package_id() != first.info().package_id()) {
        return Err(WholeKeyError::Mixed);
    }
    let mut ids: Vec<PartyId> = Vec::with_capacity(shares.len());
    for share in shares {
        if ids.contains(&share.party()) {
            return Err(WholeKeyError::DuplicateParty(share.party()));
        }
        ids.push(share.party());
    }
    let need = first.info().threshold();
    if ids.len() < usize::from(need) {
        return Err(WholeKeyError::TooFew { got: ids.len(), need });
    }
    let mut secrets = Vec::with_capacity(shares.len());
    secrets.extend(shares.iter().map(|share| *share.secret().expose()));
    let secrets = Secret::new(secrets);
    let secret = lagrange::interpolate_at_zero::<C>(&ids, secrets.expose());
    let secret = secret.ok_or(WholeKeyError::Inconsistent)?;
    if C::mul_base(secret.expose()) != *first.verifying_key().point() {
        return Err(WholeKeyError::Inconsistent);
    }
    Ok(secret)
}
