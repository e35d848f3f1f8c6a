//! Key shares of cggmp24, as JSON by serde.
//!
//! A `KeyShare` is an `IncompleteKeyShare` (`CoreKeyShare` in the crate key-share) with aux-info. Both are read,
//! and aux-info is skipped. Its moduli carry none of the proofs on which this library's protocols rest. So the
//! parties run aux-info next, before they presign. Shares of cggmp21 0.6 have the same core.
//!
//! # Shares without a polynomial
//!
//! A key of n parties made without a threshold has shares that add up to the key, and no `vss_setup`. It becomes
//! a key of threshold n. Party j gets the place j + 1, and the λ_j are the Lagrange coefficients of all n places.
//! The values s_j = x_j/λ_j lie on one polynomial of degree n − 1, since any n values do. At zero it is Σ λ_j·s_j
//! = Σ x_j.
//!
//! # Chain codes
//!
//! A key made without support for derivation has no chain code. The family derives one from
//! [`Inherited::common`].

mod text;

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret, batch_invert};
use quorate_session::{PartyId, Transcript};
use quorate_sharing::lagrange;

use self::text::{Fields, Side};
use super::encoded::Encoded;
use super::json::need;
use super::{Holders, MigrateError, Migrated, bounded};
use crate::error::CommitteeError;
use crate::{Family, KeyTypes, Point, Scalar, SharedKey};

/// A family whose keys cggmp24 also has.
pub trait Cggmp24: KeyTypes {
    /// The name of the curve in the files of cggmp24: `"secp256k1"`, `"secp256r1"`.
    const CURVE: &'static str;

    /// The data that the family keeps beside the key.
    fn extra(inherited: Inherited) -> Self::Extra;
}

/// The data that all parties of a migrated key have in common besides the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inherited {
    /// The chain code, of a key that had one.
    pub chain_code: Option<[u8; 32]>,
    /// A digest of the family, the threshold, the group key, every party's number and verifying share, and the
    /// chain code. It is equal for all parties, and not a secret from anyone who knows these.
    pub common: [u8; 32],
}

/// Takes a `KeyShare` or an `IncompleteKeyShare`.
///
/// # Errors
/// A [`MigrateError`] with the reason.
pub fn key_share<F: Cggmp24>(stored: &[u8]) -> Result<Migrated<F>, MigrateError> {
    let mut fields = Fields::open(stored, Side::Share, F::CURVE)?;
    let index = need(fields.i, "i")?;
    let secret = need(fields.x.take(), "x")?.secret::<F::Curve>("x")?;
    let public = Public::<F>::read(fields)?;
    let place = public.places.get(usize::from(index)).copied();
    let place = place.ok_or(MigrateError::NoSuchIndex(index))?;
    let secret = match place.scale {
        Some(scale) => Secret::make(|| scale * *secret.expose()),
        None => secret,
    };
    Migrated::new(place.party, public.shared()?, secret)
}

/// Takes a `KeyInfo`, the public side of a key.
///
/// # Errors
/// A [`MigrateError`] with the reason; [`MigrateError::UnknownField`] if it is a share.
pub fn key_info<F: Cggmp24>(stored: &[u8]) -> Result<F::Public, MigrateError> {
    let fields = Fields::open(stored, Side::Public, F::CURVE)?;
    Ok(F::public(Public::<F>::read(fields)?.shared()?))
}

/// The place of a party's share on the polynomial.
struct Place<F: Family> {
    party: PartyId,
    /// 1/λ_j, the factor of a share without a polynomial.
    scale: Option<Scalar<F>>,
}

impl<F: Family> Clone for Place<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family> Copy for Place<F> {}

/// The public side of a key.
struct Public<F: Family> {
    threshold: u16,
    key: Point<F>,
    /// By index, as are the shares.
    places: Vec<Place<F>>,
    shares: Vec<Point<F>>,
    chain_code: Option<[u8; 32]>,
}

impl<F: Cggmp24> Public<F> {
    fn read(fields: Fields<'_>) -> Result<Self, MigrateError> {
        let key = need(fields.shared_public_key, "shared_public_key")?;
        let key = key.point::<F::Curve>("shared_public_key")?;
        let shares = need(fields.public_shares, "public_shares")?;
        let (all, setup) = (shares.len(), fields.vss_setup.flatten());
        // Without a polynomial the threshold is the number of shares.
        let threshold = match &setup {
            Some(setup) => setup.min_signers,
            None => u16::try_from(all)
                .map_err(|_| CommitteeError::TooMany { most: F::MAX_PARTIES, got: all })?,
        };
        bounded::<F>(threshold, all)?;
        let shares = shares.into_iter().map(|share| share.point::<F::Curve>("public_shares"));
        let shares = shares.collect::<Result<Vec<_>, _>>()?;
        let chain_code = match fields.chain_code.flatten() {
            Some(code) => Some(code.array().ok_or(MigrateError::BadChainCode)?),
            None => None,
        };
        let (places, shares) = match setup {
            Some(setup) => (at::<F>(&setup.places, all)?, shares),
            None => {
                let places = without_polynomial::<F>(threshold)?;
                let scaled = |(place, share): (&Place<F>, &_)| {
                    let scale = place.scale.unwrap_or_default();
                    F::Curve::msm_vartime(&[scale], core::slice::from_ref(share))
                };
                let shares = places.iter().zip(&shares).map(scaled).collect();
                (places, shares)
            }
        };
        Ok(Self { threshold, key, places, shares, chain_code })
    }

    fn shared(self) -> Result<SharedKey<F>, MigrateError> {
        let parties = self.places.iter().map(|place| place.party);
        let holders = Holders::<F>::new(parties.zip(self.shares).collect())?;
        let mut transcript = Transcript::new("quorate-keys migrated key");
        transcript.append("family", F::NAME.as_bytes());
        transcript.append_u64("threshold", self.threshold.into());
        transcript.append("key", F::Curve::encode_point(&self.key).as_ref());
        for (party, share) in holders.parties.iter().zip(&holders.shares) {
            transcript.append_u64("party", party.get().into());
            transcript.append("verifying share", F::Curve::encode_point(share).as_ref());
        }
        // Without one: empty.
        transcript.append("chain code", self.chain_code.as_ref().map_or(&[], |code| code));
        let inherited = Inherited { chain_code: self.chain_code, common: transcript.finish32() };
        holders.shared(self.threshold, &self.key, F::extra(inherited))
    }
}

/// The places that the setup of the sharing gives to `all` shares.
fn at<F: Family>(places: &[Encoded<'_>], all: usize) -> Result<Vec<Place<F>>, MigrateError> {
    if places.len() != all {
        return Err(MigrateError::Count { shares: all, places: places.len() });
    }
    let place =
        |place: &Encoded<'_>| Ok(Place { party: place.party::<F::Curve>("I")?, scale: None });
    places.iter().map(place).collect()
}

/// The places of `all` shares that add up to the key.
fn without_polynomial<F: Family>(all: u16) -> Result<Vec<Place<F>>, MigrateError> {
    let parties: Vec<_> = (1..=all).filter_map(PartyId::new).collect();
    // Distinct numbers: there are coefficients, none of them zero.
    let mut scales =
        lagrange::all_at_zero::<F::Curve>(&parties).ok_or(MigrateError::WrongShares)?;
    batch_invert::<F::Curve>(&mut scales).ok_or(MigrateError::WrongShares)?;
    let places = parties.into_iter().zip(scales);
    Ok(places.map(|(party, scale)| Place { party, scale: Some(scale) }).collect())
}
