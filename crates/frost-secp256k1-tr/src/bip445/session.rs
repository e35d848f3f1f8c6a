//! *Session Context*: signing, verifying a share, adding up.

use core::fmt;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_frost::session::wire::joined;
use quorate_frost::{KeyShare, KeySuite};

use super::error::Error;
use super::nonce::{AggregateNonce, PublicNonce, SecretNonce, decode};
use super::signers::Signers;
use super::tweak::{Tweak, TweakedKey};
use super::{Point, Scalar, Sign, x_only};
use crate::taproot::tagged_hash;

/// A signer's share of a signature: the scalar s_i, big-endian.
pub type SignatureShare = [u8; 32];

/// The values that all signers of a message compute alike: the BIP's *Session Context*, and *GetSessionValues*.
#[derive(Clone)]
pub struct Session {
    signers: Signers,
    key: TweakedKey,
    sum: AggregateNonce,
    /// b, which binds the nonces.
    b: Scalar,
    /// R, and its compressed form.
    r: Point,
    r_bytes: [u8; 33],
    /// e, BIP-340's challenge.
    e: Scalar,
}

impl Session {
    /// The session of these signers, for a message and the key with these tweaks.
    ///
    /// # Errors
    /// [`Error::BadTweak`], [`Error::Infinity`].
    pub fn new(
        signers: &Signers,
        sum: &AggregateNonce,
        tweaks: &[Tweak],
        message: &[u8],
    ) -> Result<Self, Error> {
        Self::with_prefix(&signers.encoded_count(), signers, sum, tweaks, message)
    }

    /// The session whose coefficient b hashes this in front of the identifiers: their number, since version 0.8.0.
    pub(super) fn with_prefix(
        prefix: &[u8],
        signers: &Signers,
        sum: &AggregateNonce,
        tweaks: &[Tweak],
        message: &[u8],
    ) -> Result<Self, Error> {
        let key = TweakedKey::of(signers.key).apply_all(tweaks)?;
        let ids = signers.encoded_ids();
        let parts = [prefix, ids.as_slice(), sum.as_bytes(), key.x_only(), message];
        let b = tagged_hash("BIP0445/noncecoef", parts);
        let [first, second] = sum.points;
        let nonce = first + Secp256k1::msm_vartime(&[b], &[second]);
        // Nonces that cancel each other. Somebody lies, and will be found by its share.
        let r = if Secp256k1::is_identity(&nonce) { Secp256k1::generator() } else { nonce };
        let r_bytes = Secp256k1::encode_point(&r);
        let e = tagged_hash("BIP0340/challenge", [x_only(&r_bytes), key.x_only(), message]);
        if b == Scalar::default() || e == Scalar::default() {
            return Err(Error::ZeroHash);
        }
        Ok(Self { signers: signers.clone(), key, sum: *sum, b, r, r_bytes, e })
    }

    /// The key that signs, tweaked.
    #[must_use]
    pub const fn key(&self) -> &TweakedKey {
        &self.key
    }

    /// *Sign*: this party's share. The nonce is spent whether or not it succeeds.
    ///
    /// The session has to be one of this share's key, threshold and parties. Its key and this party's public share may
    /// both have the other sign.
    ///
    /// # Errors
    /// [`Error::ForeignKey`], [`Error::ForeignCommittee`], [`Error::NotASigner`], [`Error::OtherShare`]: the session is not
    /// this share's. [`Error::Unconfirmed`]: the share does not sign.
    pub fn sign<S: KeySuite<Curve = Secp256k1>>(
        &self,
        share: &KeyShare<S>,
        nonce: SecretNonce,
    ) -> Result<SignatureShare, Error> {
        let (id, secret) = self.signers.own(share)?;
        self.sign_with(&secret, id, nonce)
    }

    /// *Sign*, with a share that may be of any origin, and of the sign that the list has.
    pub(super) fn sign_with(
        &self,
        secret: &Secret<Scalar>,
        id: u32,
        nonce: SecretNonce,
    ) -> Result<SignatureShare, Error> {
        if nonce.is_zero() {
            return Err(Error::ZeroNonce);
        }
        if *secret.expose() == Scalar::default() {
            return Err(Error::ZeroShare);
        }
        let at = self.signers.position(id).ok_or(Error::NotASigner)?;
        if self.signers.shares.get(at) != Some(&Secp256k1::mul_base(secret.expose())) {
            return Err(Error::OtherShare);
        }
        let public = *nonce.public();
        let nonce = nonce.spend(&self.b, self.sign_of_nonces());
        let share = Secret::new(self.key.sign_of_shares().scalar(*secret.expose()));
        // s = k_1 + b·k_2 + e·λ·d, with the nonces' sign that of R and d's that of the key. Sent to the coordinator.
        let s = *nonce.expose() + self.e * self.signers.coefficient(id) * *share.expose();
        let s = Secp256k1::encode_scalar(&s);
        // A share that a fault has spoilt may tell of the secret: it does not leave.
        self.verify_one(&s, at, &public)?;
        Ok(s)
    }

    /// *PartialSigVerify*: whether the share of the signer at this place is right. `nonces` are all signers', in the order
    /// of the list, and have to be those that the session was made of.
    ///
    /// # Errors
    /// [`Error::WrongCount`], [`Error::NotASigner`], [`Error::BadNonce`]; [`Error::OtherNonces`] if these do not make the
    /// sum; [`Error::BadShare`], [`Error::WrongShare`].
    pub fn verify_share(
        &self,
        share: &SignatureShare,
        nonces: &[PublicNonce],
        at: usize,
    ) -> Result<(), Error> {
        self.count(nonces.len())?;
        let nonce = nonces.get(at).ok_or(Error::NotASigner)?;
        if AggregateNonce::sum(nonces)? != self.sum {
            return Err(Error::OtherNonces);
        }
        self.verify_one(share, at, nonce)
    }

    /// s·G = ±(R_1 + b·R_2) + e·λ·(±P)
    fn verify_one(
        &self,
        share: &SignatureShare,
        at: usize,
        nonce: &PublicNonce,
    ) -> Result<(), Error> {
        let s = Secp256k1::decode_scalar(share).ok_or(Error::BadShare { at })?;
        let [Some(first), Some(second)] = decode(nonce, false) else {
            return Err(Error::BadNonce { at });
        };
        let id = self.signers.ids.get(at).ok_or(Error::NotASigner)?;
        let public = self.signers.shares.get(at).ok_or(Error::NotASigner)?;
        let one = self.sign_of_nonces().scalar(Scalar::from(1));
        let weight = self.key.sign_of_shares().scalar(self.e * self.signers.coefficient(*id));
        let scalars = [one, one * self.b, weight];
        let right = Secp256k1::msm_vartime(&scalars, &[first, second, *public]);
        if Secp256k1::mul_base(&s) == right { Ok(()) } else { Err(Error::WrongShare { at }) }
    }

    /// *PartialSigAgg*: the signature, R ‖ s of BIP-340, from the shares of all signers, in the order of the list. It is
    /// verified before it is given out.
    ///
    /// # Errors
    /// [`Error::WrongCount`], [`Error::BadShare`]; [`Error::NoSignature`] if the sum is wrong: [`Self::verify_share`] says
    /// whose share is.
    pub fn aggregate(&self, shares: &[SignatureShare]) -> Result<[u8; 64], Error> {
        self.count(shares.len())?;
        let mut s = self.e * self.key.shift();
        for (at, share) in shares.iter().enumerate() {
            s = s + Secp256k1::decode_scalar(share).ok_or(Error::BadShare { at })?;
        }
        let (key, r) = (self.key.sign().point(self.key.point), self.sign_of_nonces().point(self.r));
        if !Secp256k1::verify_vartime(&key, &r, &s, &self.e) {
            return Err(Error::NoSignature);
        }
        Ok(joined(&[x_only(&self.r_bytes), &Secp256k1::encode_scalar(&s)]))
    }

    /// The sign that all nonces sign with: that of R.
    const fn sign_of_nonces(&self) -> Sign {
        Sign::of_y(&self.r_bytes)
    }

    fn count(&self, got: usize) -> Result<(), Error> {
        let expected = self.signers.ids.len();
        if got == expected { Ok(()) } else { Err(Error::WrongCount { got, expected }) }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("signers", &self.signers)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}
