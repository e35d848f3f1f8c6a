//! Hardened children of FROST and ECDSA keys.
//!
//! BIP-32 hardens by an HMAC over the secret key, which nobody has here. This module has the property that users
//! want of it, and no standard's keys: with the parent's public key and chain code, and with a child's secret key, nobody
//! outside can compute the parent's secret key, a sibling, or which keys are children.
//!
//! ```text
//! child = parent + tweak·G,   tweak = HKDF(F(family, parent, path))
//! ```
//!
//! F is evaluated under a [`Kdf`] key of the same parties, which is not the parent's: a share serves one
//! purpose. One evaluation gives the child of a whole path, whatever its length. The family and the parent's key are
//! hashed, so the children of two keys under one PRF key are independent, and refreshing either key changes no child.
//!
//! 1. Each party makes the [`Query::hardened`](crate::Query::hardened) itself, from a path that it agrees to, and evaluates it.
//! 2. The signers put shares together: each gets the [`ChildTweak`] of the result.
//! 3. Each applies it to its share of the parent ([`ChildTweak::key_share`]), signs, and drops both.
//!
//! # Misuse
//!
//! 1. **A tweak that leaks, together with the child's secret key.** Their difference is the parent's secret key. A tweak is a secret of
//!    the signers: derive it again for each use, and store it nowhere.
//! 2. **Shares of the evaluation on an open channel.** t of them give the tweak. Encrypt them.
//! 3. **t parties.** They can do everything, as always.
//! 4. **A lost PRF key.** Its children are lost with it. Back it up as the parent is.
//! 5. **Stored shares of children.** A refresh does not change them: see [`keys::derive`](quorate_keys::derive).
//!
//! Presignatures of an ECDSA key serve its hardened children, too, and are made before the child is chosen: `HardenedChild` in
//! `quorate-cggmp`.

use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_frost::PublicKeyPackage;
use quorate_keys::derive::{DeriveError, Shifted};
use quorate_keys::{Family, KeyTypes, Mismatch, PackageId, Scalar, SecretShare, SharedKey};
use quorate_session::Transcript;
use zeroize::Zeroizing;

use crate::error::QueryError;
use crate::evaluation::Evaluation;
use crate::kinds::Kdf;
use crate::query::Query;
use crate::suite::PrfSuite;

/// The purpose of all evaluations that make children.
const PURPOSE: &[u8] = b"quorate-prf hardened child v1";

impl<S: PrfSuite> Query<Kdf<S>> {
    /// The query for the child of a key at a path: any numbers, all of them hardened.
    ///
    /// # Errors
    /// [`QueryError::NoPoint`] if the input hashes to no point, which has a negligible chance.
    pub fn hardened<F: Family>(
        public: &PublicKeyPackage<Kdf<S>>,
        parent: &SharedKey<F>,
        path: &[u32],
    ) -> Result<Self, QueryError> {
        Self::derive(public, PURPOSE, &input(parent, path))
    }
}

/// The family, the parent's key and the path; not the epoch, since children outlive refreshes.
fn input<F: Family>(parent: &SharedKey<F>, path: &[u32]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-prf hardened child");
    transcript.append("family", F::NAME.as_bytes());
    transcript.append("curve", F::Curve::NAME.as_bytes());
    transcript.append("parent", F::Curve::encode_point(parent.key()).as_ref());
    transcript.append_list("path", path.iter().map(|number| number.to_be_bytes()));
    transcript.finish32()
}

/// The secret difference of a child and its parent, for the public value of one epoch of the parent.
///
/// The tweak is wiped when dropped, and it is neither `Clone` nor printable.
pub struct ChildTweak<F: Family> {
    parent: PackageId,
    tweak: Secret<Scalar<F>>,
    chain_code: Zeroizing<[u8; 32]>,
}

impl<F: Family> ChildTweak<F> {
    /// The tweak of an evaluation of [`Query::hardened`]. `query` is the one that was evaluated; `parent` and `path` are those
    /// that it was made of.
    ///
    /// # Errors
    /// [`ChildError::OtherQuery`] if it is the query of another parent or path.
    pub fn new<S: PrfSuite>(
        public: &PublicKeyPackage<Kdf<S>>,
        query: &Query<Kdf<S>>,
        result: &Evaluation<Kdf<S>>,
        parent: &SharedKey<F>,
        path: &[u32],
    ) -> Result<Self, ChildError> {
        let expected = Query::hardened(public, parent, path).map_err(|_| ChildError::OtherQuery)?;
        if expected != *query {
            return Err(ChildError::OtherQuery);
        }
        // 128 bytes are far more than any order has, so the tweak is uniform.
        let wide = result.bytes(b"tweak", 128).ok_or(ChildError::OtherQuery)?;
        let code = result.bytes(b"chain code", 32).ok_or(ChildError::OtherQuery)?;
        let mut chain_code = Zeroizing::new([0; 32]);
        chain_code.iter_mut().zip(code.iter()).for_each(|(to, from)| *to = *from);
        let tweak = Secret::make(|| F::Curve::scalar_from_wide(&wide));
        Ok(Self { parent: parent.package_id(), tweak, chain_code })
    }

    /// A chain code for the child, which is as secret as the tweak until it is used. With the parent's chain code, whoever
    /// has it could link the child's own descendants.
    #[must_use]
    pub const fn chain_code(&self) -> &Zeroizing<[u8; 32]> {
        &self.chain_code
    }

    /// The child as its parent and the tweak. A presignature of an ECDSA key signs for it: `HardenedChild` in `quorate-cggmp`.
    ///
    /// # Errors
    /// Those of [`Self::public`].
    pub fn shifted(
        &self,
        parent: &SharedKey<F>,
        extra: F::Extra,
    ) -> Result<Shifted<F>, ChildError> {
        self.parent.check_belongs_to(&parent.package_id()).map_err(ChildError::Mismatch)?;
        parent.shift(self.tweak.expose(), extra).map_err(ChildError::Derive)
    }
}

impl<F: KeyTypes> ChildTweak<F> {
    /// The child's public value, with the committee and in the epoch of the parent. `extra` is the family's own data:
    /// nothing for FROST; for ECDSA the chain code and rid of the child.
    ///
    /// # Errors
    /// [`ChildError::Mismatch`] for another parent or epoch than the tweak's, [`ChildError::Derive`] if there is no such
    /// child, which has a negligible chance.
    pub fn public(&self, parent: &SharedKey<F>, extra: F::Extra) -> Result<F::Public, ChildError> {
        Ok(F::public(self.shifted(parent, extra)?.into_key()))
    }

    /// This party's share of the child. Constant time in the share.
    ///
    /// # Errors
    /// The errors of [`Self::public`], and [`ChildError::Mismatch`] if the share is not one of the parent.
    pub fn key_share(
        &self,
        parent: &SharedKey<F>,
        share: &SecretShare<F>,
        extra: F::Extra,
    ) -> Result<F::Share, ChildError> {
        let shifted = self.shifted(parent, extra)?;
        let moved = share.shift(&shifted).map_err(ChildError::Mismatch)?;
        Ok(F::key_share(moved, shifted.key()))
    }
}

impl<F: Family> fmt::Debug for ChildTweak<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildTweak").field("parent", &self.parent).finish_non_exhaustive()
    }
}

/// The reason why there is no child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChildError {
    /// The evaluation is of another parent or path, or under another PRF key.
    OtherQuery,
    /// The tweak, or the share, is for another key or epoch than the parent.
    Mismatch(Mismatch),
    /// The child, or a party's share of it, is the identity, or the family has no such key.
    Derive(DeriveError),
}

impl fmt::Display for ChildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherQuery => {
                f.write_str("the evaluation is not that of this parent, this path and this key")
            }
            Self::Mismatch(why) => {
                write!(f, "the tweak or the share is not for this parent: {why}")
            }
            Self::Derive(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for ChildError {}
