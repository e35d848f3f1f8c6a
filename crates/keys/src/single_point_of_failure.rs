//! The whole key in one place: importing an existing key, and exporting one for good.
//!
//! The caller of these functions **has the key**, on a machine that can be broken into. Shares exist to avoid
//! exactly that. A dealer can keep what it dealt, and nobody can check that it has forgotten.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::PartyId;
use quorate_session::rand_core::CryptoRng;
use quorate_sharing::{Polynomial, lagrange};

use crate::error::{DecodeError, Mismatch};
use crate::{Committee, Family, Scalar, SecretShare, ShareState, SharedKey};

/// A dealt key: the public value, for everybody, and a share for each party.
pub struct Imported<F: Family> {
    /// The public value, in epoch 0. The parties compare its [`package_id`](SharedKey::package_id) over a channel
    /// that the dealer does not control, because it could give each of them a different one.
    pub public: SharedKey<F>,
    /// One share for each party, in the order of the parties, to be sent over confidential channels. The
    /// recipient checks it against the public value with [`SecretShare::check_belongs_to`].
    pub shares: Vec<SecretShare<F>>,
}

impl<F: Family> fmt::Debug for Imported<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Imported").field("public", &self.public).finish_non_exhaustive()
    }
}

/// The reason why a key was not dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// The key is zero.
    ZeroKey,
    /// The family has no such key or committee. Or a share came out neutral, which has a negligible chance.
    Refused(DecodeError),
    /// The generator of random numbers gives zeros only.
    Randomness,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroKey => f.write_str("the key is zero"),
            Self::Refused(why) => why.fmt(f),
            Self::Randomness => f.write_str("the generator of random numbers is broken"),
        }
    }
}

impl core::error::Error for ImportError {}

impl From<DecodeError> for ImportError {
    fn from(error: DecodeError) -> Self {
        Self::Refused(error)
    }
}

/// Deals a secret key among a committee. From then on, any t of its parties can use it. The key is wiped here;
/// wiping copies is up to the caller.
///
/// If the family has only one of `x·G` and `−x·G`, as Taproot does, and the key is the other one, −x is dealt. To
/// that family it is the same key.
///
/// # Errors
/// [`ImportError`].
pub fn import<F: Family>(
    key: Secret<Scalar<F>>,
    committee: Committee,
    extra: F::Extra,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<Imported<F>, ImportError> {
    // The result shows whether it is zero anyway.
    if declassify(*key.expose() == Scalar::<F>::default()) {
        return Err(ImportError::ZeroKey);
    }
    let point = declassify(F::Curve::mul_base(key.expose()));
    let key = if F::accepts(&F::Curve::encode_point(&point)) {
        key
    } else {
        Secret::make(|| -*key.expose())
    };
    let polynomial =
        Polynomial::<F::Curve>::with_constant(key.expose(), committee.threshold(), rng)
            .map_err(|_| ImportError::Randomness)?;
    drop(key);
    let parties = committee.parties().clone();
    let (public, secrets) = SharedKey::dealt(committee, 0, &polynomial, extra)?;
    let share = |(party, secret): (PartyId, &Scalar<F>)| {
        SecretShare::new(party, &public, Secret::new(*secret), ShareState::Ready)
    };
    let shares = parties.iter().zip(secrets.expose()).map(share).collect::<Result<_, _>>()?;
    Ok(Imported { public, shares })
}

/// The reason why a key was not put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// Fewer shares than the threshold.
    TooFew {
        /// The threshold.
        need: u16,
        /// The number of shares.
        got: usize,
    },
    /// Two shares of one party.
    Duplicate(PartyId),
    /// A share is of another key, epoch or package, or is not the one that the public value has for its party.
    Mismatch {
        /// The party that the share names.
        party: PartyId,
        /// The difference.
        why: Mismatch,
    },
    /// The shares do not make the key, which has a negligible chance.
    NotTheKey,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { need, got } => write!(f, "got {got} shares, need at least {need}"),
            Self::Duplicate(party) => write!(f, "got two shares of party {party}"),
            Self::Mismatch { party, why } => write!(f, "the share of party {party}: {why}"),
            Self::NotTheKey => f.write_str("the shares do not make the key"),
        }
    }
}

impl core::error::Error for ExportError {}

/// Puts the secret key together from at least t shares of one package. From then on it is as safe as this
/// machine, and no longer shared. The shares still make the key, as before.
///
/// # Errors
/// [`ExportError`], which names the party whose share is wrong. The result is checked against X before it is
/// returned.
pub fn export<'s, F: Family>(
    shared: &SharedKey<F>,
    shares: impl IntoIterator<Item = &'s SecretShare<F>>,
) -> Result<Secret<Scalar<F>>, ExportError> {
    let shares: Vec<&SecretShare<F>> = shares.into_iter().collect();
    let mut parties: Vec<PartyId> = Vec::with_capacity(shares.len());
    for share in &shares {
        let party = share.id();
        share.check_belongs_to(shared).map_err(|why| ExportError::Mismatch { party, why })?;
        if parties.contains(&party) {
            return Err(ExportError::Duplicate(party));
        }
        parties.push(party);
    }
    let (need, got) = (shared.threshold(), parties.len());
    if got < usize::from(need) {
        return Err(ExportError::TooFew { need, got });
    }
    let mut secrets = Vec::with_capacity(shares.len());
    secrets.extend(shares.iter().map(|share| *share.secret().expose()));
    let secrets = Secret::new(secrets);
    let key = lagrange::interpolate_at_zero::<F::Curve>(&parties, secrets.expose())
        .ok_or(ExportError::NotTheKey)?;
    // The point equals the published one, or this is an error.
    let found = declassify(F::Curve::mul_base(key.expose()));
    if found == *shared.key() { Ok(key) } else { Err(ExportError::NotTheKey) }
}
