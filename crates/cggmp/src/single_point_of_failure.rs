//! The whole key in one place, by [`quorate_keys::single_point_of_failure`]: the import of an existing key, and its final
//! export.
//!
//! The caller of these functions **has the key**, on a machine that can be broken into. Threshold signing exists to avoid
//! this.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_keys::{Committee, DecodeError, KeyTypes as _, single_point_of_failure as keys};
use quorate_session::Parties;
use rand_core::CryptoRng;

pub use quorate_keys::single_point_of_failure::{ExportError, ImportError};

use crate::{Ecdsa, EcdsaCurve, KeyExtra, KeyShare};

/// Deals a secret key among `parties`, any `threshold` of which will be able to sign: one share for each, in the order of
/// the parties, to be sent over confidential channels. The key is wiped here; copies are the caller's.
///
/// A `chain_code` that the key has already is kept; without one, it is drawn.
///
/// # Errors
/// [`ImportError`] for a threshold that does not fit, too many parties, the key zero, or a generator that gives zeros
/// only.
pub fn import<C: EcdsaCurve>(
    secret: Secret<C::Scalar>,
    chain_code: Option<[u8; 32]>,
    threshold: u16,
    parties: &Parties,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<Vec<KeyShare<C>>, ImportError> {
    let committee = Committee::new(parties.clone(), threshold).map_err(DecodeError::from)?;
    let mut draw = || {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        bytes
    };
    let (drawn, rid) = (draw(), draw());
    let extra = KeyExtra { chain_code: chain_code.unwrap_or(drawn), rid };
    let imported = keys::import::<Ecdsa<C>>(secret, committee, extra, rng)?;
    let shares = imported.shares.into_iter();
    Ok(shares.map(|share| Ecdsa::key_share(share, &imported.public)).collect())
}

/// Reconstructs the secret key from at least t shares of one epoch. The key is then as safe as this machine, and no
/// longer shared.
///
/// # Errors
/// [`ExportError`], which names the party whose share is another key's, another epoch's, or there twice.
pub fn export<C: EcdsaCurve>(shares: &[KeyShare<C>]) -> Result<Secret<C::Scalar>, ExportError> {
    let first = shares.first().ok_or(ExportError::TooFew { got: 0, need: 2 })?;
    keys::export(first.public().shared(), shares.iter().map(KeyShare::secret_share))
}
