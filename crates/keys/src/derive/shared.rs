//! Descendants of shared keys.

use quorate_curve::{Curve, Secp256k1};
use quorate_session::Transcript;

use super::{Derivable, DerivationPath, DeriveError, ExtendedKey, Shifted, TaprootKey};
use crate::{Family, SharedKey};

impl<F: Family> SharedKey<F>
where
    F::Curve: Derivable,
{
    /// The group key as the root of a tree, with this chain code.
    #[must_use]
    pub fn extended_key(&self, chain_code: [u8; 32]) -> ExtendedKey<F::Curve> {
        ExtendedKey::from_point(*self.key(), chain_code)
    }

    /// A chain code that follows from the key, for keys that were made without one: a hash of the family's name
    /// and the group key. Anyone who knows the key can then derive, and link, all of its descendants.
    #[must_use]
    pub fn public_chain_code(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-keys public chain code");
        transcript.append("family", F::NAME.as_bytes());
        transcript.append("key", F::Curve::encode_point(self.key()).as_ref());
        transcript.finish32()
    }

    /// The descendant at `path` below `root`, as a key of the family T. `root` is the extended key of the group
    /// key.
    ///
    /// If the family has only one of a key and its negative (Taproot), the extended key may be that of either.
    /// The key of an imported account may be odd, and its children follow from it as it is. The descendants of
    /// such a family have lost their sign, so derive from the root alone.
    ///
    /// # Errors
    /// [`DeriveError::OtherKey`] if `root` is the extended key of another key. Otherwise the errors of
    /// [`ExtendedKey::derivation`] and [`SharedKey::shift`].
    pub fn derive<T: Family<Curve = F::Curve>>(
        &self,
        root: &ExtendedKey<F::Curve>,
        path: &DerivationPath,
        extra: T::Extra,
    ) -> Result<Shifted<F, T>, DeriveError> {
        let negative = self.is_negative_of(root)?;
        let tweak = root.derivation(path)?.tweak;
        self.shift(&if negative { -tweak } else { tweak }, extra)
    }

    /// Returns whether `root` is that of the negative of the group key, which the family does not have.
    fn is_negative_of(&self, root: &ExtendedKey<F::Curve>) -> Result<bool, DeriveError> {
        let negative = -*self.key();
        if root.key() == self.key() {
            Ok(false)
        } else if *root.key() == negative && !F::accepts(&F::Curve::encode_point(&negative)) {
            Ok(true)
        } else {
            Err(DeriveError::OtherKey)
        }
    }
}

impl<F: Family<Curve = Secp256k1>> SharedKey<F> {
    /// The Taproot output key of the descendant at `path` below `root`. With `m/change/index` and without a
    /// Merkle root, it is BIP-86's. See [`derive`](Self::derive).
    ///
    /// # Errors
    /// The errors of [`derive`](Self::derive).
    pub fn derive_taproot<T: Family<Curve = Secp256k1>>(
        &self,
        root: &ExtendedKey<Secp256k1>,
        path: &DerivationPath,
        merkle_root: Option<&[u8; 32]>,
        extra: T::Extra,
    ) -> Result<Shifted<F, T>, DeriveError> {
        let negative = self.is_negative_of(root)?;
        let shift = *TaprootKey::new(&root.derivation(path)?, merkle_root)?.shift();
        self.shift(&if negative { -shift } else { shift }, extra)
    }
}
