//! One party's share of the secret key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_session::PartyId;
use zeroize::Zeroizing;

use super::KeyInfo;
use crate::hd::{DerivationPath, Derived};
use crate::wire::{self, Kind, SCALAR, read_party, truncated};
use crate::{DecodeError, DeriveError, EcdsaCurve, VerifyingKey};

/// A party's secret share `x_i` of a key, with all that is public of it.
///
/// It is zeroized when dropped, and it is neither `Clone` nor printable. It gets out by
/// [`KeyShare::to_bytes`], which has to be encrypted, and weighted by [`KeyShare::additive`].
pub struct KeyShare<C: EcdsaCurve> {
    party: PartyId,
    info: KeyInfo<C>,
    /// `x_i`, never zero.
    secret: Secret<C::Scalar>,
    /// All parties have confirmed the key.
    confirmed: bool,
}

impl<C: EcdsaCurve> KeyShare<C> {
    /// Takes `secret` for the share of `party`, after checking that it is.
    pub(crate) fn new(
        party: PartyId,
        info: KeyInfo<C>,
        secret: Secret<C::Scalar>,
    ) -> Result<Self, DecodeError> {
        let expected = info.share_point(party).ok_or(DecodeError::BadIdentifier(party.get()))?;
        // Public shares are never the identity, so this refuses zero.
        if C::mul_base(secret.expose()) != *expected {
            return Err(DecodeError::Inconsistent(
                "the secret is not that of the party's public share",
            ));
        }
        Ok(Self { party, info, secret, confirmed: true })
    }

    /// The share of a key that is still to be confirmed.
    pub(crate) fn unconfirmed(self) -> Self {
        Self { confirmed: false, ..self }
    }

    /// Whether all parties have confirmed the key. A share of which this is false does not sign.
    ///
    /// [`Keygen`](crate::Keygen) gives out an unconfirmed share
    /// ([`Stopped::unconfirmed`](quorate_session::Stopped::unconfirmed)) where this party has
    /// verified everything, but a peer's confirmation is wrong or missing. Store it: another party
    /// may have got all confirmations, and take the key for good. The mark is part of the stored
    /// form.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed
    }

    /// Takes an unconfirmed share for confirmed: the caller's own decision, and one to be stored.
    ///
    /// The share lies on the polynomials that all parties saw committed to; it is not known who else
    /// has kept theirs. So ask all parties, over channels that you trust, for what
    /// [`KeyInfo::to_bytes`] gives of theirs. Use the key only if **all** hold this one: with fewer
    /// than all, those that are missing can make it unusable later; with fewer than t, it is
    /// unusable now.
    pub const fn confirm(&mut self) {
        self.confirmed = true;
    }

    /// The party whose share this is.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.party
    }

    /// The public side of the key.
    #[must_use]
    pub const fn info(&self) -> &KeyInfo<C> {
        &self.info
    }

    /// The group's public key.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        self.info.verifying_key()
    }

    pub(crate) const fn secret(&self) -> &Secret<C::Scalar> {
        &self.secret
    }

    /// This party's share of the key `X + shift·G`, with another chain code. Every party's share
    /// gets the same shift, since Lagrange coefficients add up to one.
    ///
    /// # Errors
    /// [`DeriveError::Identity`] if the new key, or a party's share of it, is the identity.
    pub fn shift(&self, shift: &C::Scalar, chain_code: [u8; 32]) -> Result<Self, DeriveError> {
        let info = self.info.shift(shift, chain_code)?;
        let secret = Secret::new(*self.secret.expose() + *shift);
        Ok(Self { party: self.party, info, secret, confirmed: self.confirmed })
    }

    /// This party's share of the descendant of the key at `path`.
    ///
    /// # Errors
    /// [`DeriveError`] if there is none.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        let Derived { tweak, chain_code, .. } = self.info.derivation(path)?;
        self.shift(&tweak, chain_code)
    }

    /// The share in its stored form. **Secret**: t of these give the key.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let body = self.info.encoded_len().saturating_add(2 + SCALAR + 1);
        let mut bytes = wire::start::<C>(Kind::KeyShare, body);
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
        self.info.encode_into(&mut bytes);
        let secret = Zeroizing::new(C::encode_scalar(self.secret.expose()));
        bytes.extend_from_slice(secret.as_slice());
        bytes.push(self.confirmed.into());
        wire::end(&mut bytes);
        bytes
    }

    /// Opens a stored share and validates it: every encoding canonical, every number within its
    /// bounds, the party among the parties, the secret that of its public share.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = wire::open::<C>(bytes, Kind::KeyShare)?;
        let party = read_party(&mut reader)?;
        let info = KeyInfo::read(&mut reader)?;
        let secret = reader.bytes(SCALAR).map_err(truncated)?;
        let secret = Secret::new(C::decode_scalar(secret).ok_or(DecodeError::BadScalar)?);
        let confirmed = wire::read_flag(&mut reader)?;
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        Ok(Self { confirmed, ..Self::new(party, info, secret)? })
    }
}

impl<C: EcdsaCurve> fmt::Debug for KeyShare<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare").finish_non_exhaustive()
    }
}
