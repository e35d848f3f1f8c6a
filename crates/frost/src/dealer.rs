//! The trusted dealer (RFC 9591 Appendix C).

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret, random_nonzero_scalar};
use quorate_keys::{Committee, Family, ShareState, SharedKey};
use quorate_session::{Parties, PartyId, wire::Reader};
use quorate_sharing::{Commitment, Polynomial};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::error::{AcceptError, DealError, DecodeError};
use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage, committee, put_parties, read_parties};
use crate::signature::VerifyingKey;
use crate::suite::{KeySuite, Scalar, point_len};
use crate::wire::{DEALT_SHARE, open, put_id, read_id, read_scalar};

/// The output of a trusted dealer: a share for each party, over a confidential channel, and the
/// public key package for all.
pub struct Dealing<S: KeySuite> {
    /// One share for each party, in the order of the parties.
    pub shares: Vec<DealtShare<S>>,
    /// The group's public key package.
    pub public: PublicKeyPackage<S>,
}

impl<S: KeySuite> Dealing<S> {
    /// Deals a new key among `parties`, `threshold` of which will be able to sign.
    ///
    /// # Errors
    /// [`DealError::BadThreshold`] unless 2 ≤ t ≤ n; [`DealError::TooLarge`]; [`DealError::Randomness`] and
    /// [`DealError::ZeroShare`] only with a generator that is broken.
    pub fn new(
        threshold: u16,
        parties: &Parties,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, DealError> {
        let committee = Committee::new(parties.clone(), threshold)?;
        let mut key = Secret::new(random_nonzero_scalar::<S::Curve>(rng)?);
        let (_, negated) = VerifyingKey::<S>::from_point(S::Curve::mul_base(key.expose()));
        if negated {
            key = Secret::new(-*key.expose());
        }
        let polynomial = Polynomial::<S::Curve>::with_constant(key.expose(), threshold, rng)?;
        // A share of zero, or a coefficient, with a chance of one in the group's order.
        let (public, shares) =
            SharedKey::dealt(committee, 0, &polynomial, ()).map_err(|_| DealError::ZeroShare)?;
        Ok(Self::with_shares(public, shares.expose().iter()))
    }

    /// Deals an existing signing key, given in the suite's encoding of a scalar, by
    /// [`import`](quorate_keys::single_point_of_failure::import). The former owner of the key still knows it.
    ///
    /// # Errors
    /// [`DealError::BadKey`] if it is not the canonical encoding of a non-zero scalar,
    /// [`DealError::BadThreshold`] unless 2 ≤ t ≤ n; [`DealError::TooLarge`]; [`DealError::Randomness`] and
    /// [`DealError::ZeroShare`] as above.
    #[cfg(feature = "single-point-of-failure")]
    pub fn import(
        key: &[u8],
        threshold: u16,
        parties: &Parties,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, DealError> {
        use quorate_keys::single_point_of_failure::{ImportError, import};
        let key = Secret::try_make(|| S::Curve::decode_scalar(key)).ok_or(DealError::BadKey)?;
        let committee = Committee::new(parties.clone(), threshold)?;
        let imported = import::<Frost<S>>(key, committee, (), rng).map_err(|why| match why {
            ImportError::ZeroKey => DealError::BadKey,
            ImportError::Randomness => DealError::Randomness,
            // A share of zero, or a coefficient, with a chance of one in the group's order.
            _ => DealError::ZeroShare,
        })?;
        let secrets = imported.shares.iter().map(|share| share.secret().expose());
        Ok(Self::with_shares(imported.public, secrets))
    }

    /// The shares, in the order of the parties, as they are sent.
    fn with_shares<'s>(
        public: SharedKey<Frost<S>>,
        secrets: impl Iterator<Item = &'s Scalar<S>>,
    ) -> Self {
        // One copy for all: a copy for each of n shares would take n times the memory.
        let (parties, commitment) = (public.parties().clone(), public.commitment().clone());
        let published =
            Shared::new(Published { parties, threshold: public.threshold(), commitment });
        let share = |(id, secret): (PartyId, &Scalar<S>)| DealtShare {
            id,
            published: Shared::clone(&published),
            secret: Secret::new(*secret),
        };
        let shares = public.parties().iter().zip(secrets).map(share).collect();
        Self { shares, public: PublicKeyPackage::from_shared(public) }
    }
}

impl<S: KeySuite> fmt::Debug for Dealing<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dealing").field("public", &self.public).finish_non_exhaustive()
    }
}

/// A share as a dealer sends it: the secret, and the dealer's commitment to prove it by.
pub struct DealtShare<S: KeySuite> {
    id: PartyId,
    published: Shared<Published<S>>,
    secret: Secret<Scalar<S>>,
}

/// The public part of a dealing, the same for every party.
struct Published<S: KeySuite> {
    parties: Parties,
    /// The number of points of the commitment.
    threshold: u16,
    commitment: Commitment<S::Curve>,
}

impl<S: KeySuite> DealtShare<S> {
    /// The party that it is for.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.id
    }

    /// Checks the share and keeps it. `threshold` is the one agreed on with the dealer, and `public` is the package
    /// that **all** parties were given.
    ///
    /// A dealer can tell one party another key, threshold or polynomial than the others, and every
    /// share still fits the commitment that came with it. So the share has to be the one that the
    /// package determines, and the parties compare [`PublicKeyPackage::package_id`] over a channel
    /// that the dealer does not control.
    ///
    /// # Errors
    /// [`AcceptError::WrongThreshold`] and [`AcceptError::OtherPackage`] if the dealer's data here differs from
    /// the agreed threshold or from the package. [`AcceptError::InvalidShare`] if the share does not lie on its
    /// own commitment.
    pub fn accept(
        self,
        threshold: u16,
        public: &PublicKeyPackage<S>,
    ) -> Result<KeyShare<S>, AcceptError> {
        let Published { parties, threshold: dealt, commitment } = &*self.published;
        for got in [*dealt, public.threshold()] {
            if got != threshold {
                return Err(AcceptError::WrongThreshold { expected: threshold, got });
            }
        }
        if *self.secret.expose() == Scalar::<S>::default()
            || !commitment.verify_share_vartime(self.id, self.secret.expose())
        {
            return Err(AcceptError::InvalidShare);
        }
        let (key, negated) = VerifyingKey::<S>::from_point(*commitment.constant());
        if public.epoch() != 0 || public.key != key || public.parties() != parties {
            return Err(AcceptError::OtherPackage);
        }
        let secret =
            Secret::make(|| if negated { -*self.secret.expose() } else { *self.secret.expose() });
        KeyShare::new(self.id, public, secret, ShareState::Ready)
            .map_err(|_| AcceptError::OtherPackage)
    }

    /// The share in the form in which it is sent. It is **secret**.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let Published { parties, threshold, commitment } = &*self.published;
        let points = commitment.len() * point_len::<S>();
        let ids = parties.len() * 2;
        let body = points.saturating_add(ids).saturating_add(128);
        let label = Frost::<S>::label(DEALT_SHARE);
        let mut bytes = label.start(body);
        put_id(&mut bytes, self.id);
        put_parties(&mut bytes, parties);
        bytes.extend_from_slice(&threshold.to_be_bytes());
        commitment.encode_into(&mut bytes);
        let secret = Zeroizing::new(S::Curve::encode_scalar(self.secret.expose()));
        bytes.extend_from_slice((*secret).as_ref());
        label.end(&mut bytes);
        bytes
    }

    /// Reads a share; [`DealtShare::accept`] then checks it.
    ///
    /// # Errors
    /// A [`DecodeError`] for a form that is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        open::<S, _>(bytes, DEALT_SHARE, Self::read)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let id = read_id(reader)?;
        let parties = read_parties(reader)?;
        if !parties.contains(id) {
            return Err(DecodeError::BadIdentifier(id.get()));
        }
        let threshold = reader.u16()?;
        committee(threshold, &parties)?;
        let length = usize::from(threshold);
        reader.expect(length, point_len::<S>())?;
        let points = reader.bytes(length.saturating_mul(point_len::<S>()))?;
        let commitment = Commitment::decode(points, length).map_err(|_| DecodeError::BadPoint)?;
        let secret = Secret::new(read_scalar::<S>(reader)?);
        Ok(Self {
            id,
            published: Shared::new(Published { parties, threshold, commitment }),
            secret,
        })
    }
}

impl<S: KeySuite> fmt::Debug for DealtShare<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DealtShare").field("id", &self.id).finish_non_exhaustive()
    }
}
