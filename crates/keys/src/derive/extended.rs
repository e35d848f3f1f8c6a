//! Extended public keys.

use core::fmt;

use super::hash::hash160;
use super::{Derivable, DerivationPath, DeriveError, Derived, XpubError};

/// A public key with its chain code, and its place in the tree of its descendants (BIP-32).
///
/// The key is public, but anyone who has it can link all descendants to each other: see the
/// [module](super#misuse).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ExtendedKey<C: Derivable> {
    depth: u8,
    parent_fingerprint: [u8; 4],
    child_number: u32,
    chain_code: [u8; 32],
    key: C::Point,
}

impl<C: Derivable> ExtendedKey<C> {
    /// A key at the root of its tree, of depth 0.
    ///
    /// # Errors
    /// [`DeriveError::Identity`] if the key is the identity.
    pub fn root(key: C::Point, chain_code: [u8; 32]) -> Result<Self, DeriveError> {
        Self::new(0, [0; 4], 0, chain_code, key).map_err(|_| DeriveError::Identity)
    }

    /// The root of a point that is not the identity.
    pub(super) const fn from_point(key: C::Point, chain_code: [u8; 32]) -> Self {
        Self { depth: 0, parent_fingerprint: [0; 4], child_number: 0, chain_code, key }
    }

    /// A key with its place in a tree, as known to the party that derived it. The child number of a hardened
    /// child is 2^31 or above; an account's key is one.
    ///
    /// # Errors
    /// [`XpubError::BadPoint`] if the key is the identity, [`XpubError::MasterWithParent`] if the depth is 0 and the
    /// fingerprint or the child number is not.
    pub fn new(
        depth: u8,
        parent_fingerprint: [u8; 4],
        child_number: u32,
        chain_code: [u8; 32],
        key: C::Point,
    ) -> Result<Self, XpubError> {
        if C::is_identity(&key) {
            return Err(XpubError::BadPoint);
        }
        if depth == 0 && (parent_fingerprint != [0; 4] || child_number != 0) {
            return Err(XpubError::MasterWithParent);
        }
        Ok(Self { depth, parent_fingerprint, child_number, chain_code, key })
    }

    /// The number of levels below the root.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// The [`fingerprint`](Self::fingerprint) of the parent; zeros at the root.
    #[must_use]
    pub const fn parent_fingerprint(&self) -> [u8; 4] {
        self.parent_fingerprint
    }

    /// The index of the key under its parent, 2^31 or above for a hardened child; 0 at the root.
    #[must_use]
    pub const fn child_number(&self) -> u32 {
        self.child_number
    }

    /// The chain code.
    #[must_use]
    pub const fn chain_code(&self) -> &[u8; 32] {
        &self.chain_code
    }

    /// The public key.
    #[must_use]
    pub const fn key(&self) -> &C::Point {
        &self.key
    }

    /// `RIPEMD160(SHA256(key))` of the encoded key: BIP-32's identifier.
    #[must_use]
    pub fn identifier(&self) -> [u8; 20] {
        hash160(C::encode_point(&self.key).as_ref())
    }

    /// The first four bytes of the [`identifier`](Self::identifier). Use it for a quick lookup only, and do not
    /// rely on it.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.identifier();
        [a, b, c, d]
    }

    /// The shift of the secret key to the descendant at `path`, with the descendant's public values.
    ///
    /// # Errors
    /// [`DeriveError::TooDeep`] below depth 255, [`DeriveError::NoSuchChild`] if the standard has no child.
    pub fn derivation(&self, path: &DerivationPath) -> Result<Derived<C>, DeriveError> {
        self.depth_below(path)?;
        Derived::at(&self.key, &self.chain_code, path)
    }

    /// The descendant at `path`.
    ///
    /// # Errors
    /// The errors of [`derivation`](Self::derivation).
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        let depth = self.depth_below(path)?;
        let Some((last, above)) = path.indices().split_last() else { return Ok(*self) };
        let at = |key, code, path: &[u32]| {
            Derived::<C>::at(key, code, &DerivationPath::new(path.iter().copied())?)
        };
        let parent = at(&self.key, &self.chain_code, above)?;
        let child = at(&parent.key, &parent.chain_code, &[*last])?;
        let parent = Self { key: parent.key, ..*self };
        Ok(Self {
            depth,
            parent_fingerprint: parent.fingerprint(),
            child_number: *last,
            chain_code: child.chain_code,
            key: child.key,
        })
    }

    fn depth_below(&self, path: &DerivationPath) -> Result<u8, DeriveError> {
        let levels = u8::try_from(path.indices().len()).map_err(|_| DeriveError::TooDeep)?;
        self.depth.checked_add(levels).ok_or(DeriveError::TooDeep)
    }
}

impl<C: Derivable> fmt::Debug for ExtendedKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtendedKey")
            .field("depth", &self.depth)
            .field("child_number", &self.child_number)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}
