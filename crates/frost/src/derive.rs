//! Child keys: the packages and shares of a key's descendants, without hardening.
//!
//! The derivation, and the cost of giving away a child's secret, are described in [`quorate_keys::derive`].
//!
//! Nonces that were made ahead with the share of one key sign for its descendants, too: binding factors and challenge hash the
//! key that signs, so nothing about it has to be known when a pair is made. Each pair is spent once, for whichever key. The
//! coordinator takes [`Commitments::for_child`], and each signer [`NonceBatch::claim_for_child`].

use quorate_curve::Secp256k1;
use quorate_keys::derive::{Derivable, DerivationPath, DeriveError, ExtendedKey, Shifted};
use quorate_keys::{Mismatch, PackageId, SharedKey};

use crate::error::{ClaimError, SignError, TweakError};
use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::nonces::{Claim, Commitments, NonceBatch};
use crate::package::SigningPackage;
use crate::suite::{Ciphersuite, InternalSuite, KeySuite};

/// A suite whose keys have children that are keys of the same suite. Taproot's are not among them: its internal keys
/// have output keys for children ([`PublicKeyPackage::derive_output`]), which have none.
pub trait ParentSuite: KeySuite<Curve: Derivable> {}

/// A suite whose keys are roots of trees, and the suite of their descendants, which sign.
///
/// For code that is generic over what it holds. Most suites are their own ([`ParentSuite`]). The roots of Taproot are internal
/// keys, and their descendants output keys: with `m/change/index` and without scripts, BIP-86's. The chain code of a root is the
/// one that follows from its key ([`SharedKey::public_chain_code`]).
pub trait RootSuite: KeySuite<Curve: Derivable> {
    /// The suite of the descendants. The one at `m` is among them.
    type Descendant: Ciphersuite + KeySuite<Curve = Self::Curve>;

    /// The descendant at `path`, with which each party [shifts](quorate_keys::SecretShare::shift) its share. Taproot's commits to
    /// the tree of scripts with this Merkle root (BIP-341).
    ///
    /// # Errors
    /// [`DeriveError::NoScripts`] if there is a Merkle root and the suite is not Taproot's, [`DeriveError`] if there is no such
    /// descendant.
    fn descendant_output(
        key: &SharedKey<Frost<Self>>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<Shifted<Frost<Self>, Frost<Self::Descendant>>, DeriveError>;
}

impl<S: ParentSuite + Ciphersuite> RootSuite for S {
    type Descendant = Self;

    fn descendant_output(
        key: &SharedKey<Frost<Self>>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<Shifted<Frost<Self>>, DeriveError> {
        if merkle_root.is_some() {
            return Err(DeriveError::NoScripts);
        }
        key.derive(&key.extended_key(key.public_chain_code()), path, ())
    }
}

impl<S: RootSuite> PublicKeyPackage<S> {
    /// The package of the descendant at `path`, which signs. The chain code is the one that follows from the key: for an imported
    /// account, which has its own, use [`derive`](Self::derive) or [`derive_output`](Self::derive_output).
    ///
    /// # Errors
    /// [`DeriveError`] if there is no such descendant.
    pub fn descendant(
        &self,
        path: &DerivationPath,
    ) -> Result<PublicKeyPackage<S::Descendant>, DeriveError> {
        self.descendant_output(path, None)
    }

    /// The package of the [descendant](Self::descendant) at `path`, whose output commits to the tree of scripts with this Merkle
    /// root. Without one it has no scripts.
    ///
    /// # Errors
    /// [`DeriveError::NoScripts`] if there is a Merkle root and the suite is not Taproot's, [`DeriveError`] if there is no such
    /// descendant.
    pub fn descendant_output(
        &self,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<PublicKeyPackage<S::Descendant>, DeriveError> {
        let shifted = S::descendant_output(self.shared(), path, merkle_root)?;
        Ok(PublicKeyPackage::from_shared(shifted.into_key()))
    }
}

impl<S: RootSuite> KeyShare<S> {
    /// This party's share of the [descendant](PublicKeyPackage::descendant) at `path`. `public` is the package of this key. Do not
    /// store it; see [`derive`](Self::derive).
    ///
    /// Constant time in the share.
    ///
    /// # Errors
    /// [`TweakError::Mismatch`] if the share is not part of this package, [`TweakError::Derive`] if there is no such
    /// descendant.
    pub fn descendant(
        &self,
        public: &PublicKeyPackage<S>,
        path: &DerivationPath,
    ) -> Result<KeyShare<S::Descendant>, TweakError> {
        self.descendant_output(public, path, None)
    }

    /// This party's share of the [descendant](PublicKeyPackage::descendant_output) at `path`, whose output commits to the tree of
    /// scripts with this Merkle root. `public` is the package of this key. Do not store it; see [`derive`](Self::derive).
    ///
    /// Constant time in the share.
    ///
    /// # Errors
    /// [`TweakError::Mismatch`] if the share is not part of this package, [`TweakError::Derive`] if there is no such descendant,
    /// or there is a Merkle root and the suite is not Taproot's.
    pub fn descendant_output(
        &self,
        public: &PublicKeyPackage<S>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<KeyShare<S::Descendant>, TweakError> {
        self.moved(&S::descendant_output(public.shared(), path, merkle_root)?)
    }
}

impl<S: KeySuite<Curve: Derivable>> PublicKeyPackage<S> {
    /// The group key as the root of a tree, with a chain code of the caller's, or with the one that follows from the
    /// key ([`public_chain_code`](Self::public_chain_code)). All parties need the same.
    #[must_use]
    pub fn extended_key(&self, chain_code: [u8; 32]) -> ExtendedKey<S::Curve> {
        self.shared().extended_key(chain_code)
    }

    /// The chain code that follows from the key. Anyone who knows the key can then derive, and link, all of its
    /// descendants.
    #[must_use]
    pub fn public_chain_code(&self) -> [u8; 32] {
        self.shared().public_chain_code()
    }
}

impl<S: ParentSuite> PublicKeyPackage<S> {
    /// The package of the descendant at `path` below `root`, the [extended key](Self::extended_key) of this key.
    ///
    /// # Errors
    /// [`DeriveError::OtherKey`] if `root` is the extended key of another key, [`DeriveError`] if there is no such
    /// descendant.
    pub fn derive(
        &self,
        root: &ExtendedKey<S::Curve>,
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        Ok(Self::from_shared(self.child(root, path)?.into_key()))
    }

    fn child(
        &self,
        root: &ExtendedKey<S::Curve>,
        path: &DerivationPath,
    ) -> Result<Shifted<Frost<S>>, DeriveError> {
        self.shared().derive(root, path, ())
    }
}

impl<S: ParentSuite> KeyShare<S> {
    /// This party's share of the descendant at `path` below `root`; see [`PublicKeyPackage::derive`]. `public` is the
    /// package of this key.
    ///
    /// Do not store it: a refresh of this key leaves it as it is, and t stored shares of descendants are this key for
    /// ever. See [`StoredByAll::permits_deleting_child`](quorate_keys::StoredByAll::permits_deleting_child).
    ///
    /// Constant time in the share.
    ///
    /// # Errors
    /// [`TweakError::Mismatch`] if the share is not part of this package, [`TweakError::Derive`] if there is no such
    /// descendant.
    pub fn derive(
        &self,
        public: &PublicKeyPackage<S>,
        root: &ExtendedKey<S::Curve>,
        path: &DerivationPath,
    ) -> Result<Self, TweakError> {
        self.moved(&public.child(root, path)?)
    }
}

impl<S: InternalSuite + KeySuite<Curve = Secp256k1>> PublicKeyPackage<S>
where
    S::Output: KeySuite<Curve = Secp256k1>,
{
    /// The package of the Taproot output key of the descendant at `path` below `root`, the
    /// [extended key](Self::extended_key) of this internal key: with `m/change/index` and without a Merkle root,
    /// BIP-86's.
    ///
    /// `root` may be the extended key of the negative of this key, which an imported account's can be.
    ///
    /// # Errors
    /// [`DeriveError::OtherKey`] if `root` is the extended key of another key, [`DeriveError`] if there is no such
    /// descendant.
    pub fn derive_output(
        &self,
        root: &ExtendedKey<Secp256k1>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<PublicKeyPackage<S::Output>, DeriveError> {
        Ok(PublicKeyPackage::from_shared(self.output(root, path, merkle_root)?.into_key()))
    }

    fn output(
        &self,
        root: &ExtendedKey<Secp256k1>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<Shifted<Frost<S>, Frost<S::Output>>, DeriveError> {
        self.shared().derive_taproot(root, path, merkle_root.as_ref(), ())
    }
}

impl<S: InternalSuite + KeySuite<Curve = Secp256k1>> KeyShare<S>
where
    S::Output: KeySuite<Curve = Secp256k1>,
{
    /// This party's share of the output key of the descendant at `path` below `root`; see
    /// [`PublicKeyPackage::derive_output`]. `public` is the package of this internal key.
    ///
    /// Constant time in the share.
    ///
    /// # Errors
    /// [`TweakError::Mismatch`] if the share is not part of this package, [`TweakError::Derive`] if there is no such
    /// descendant.
    pub fn derive_output(
        &self,
        public: &PublicKeyPackage<S>,
        root: &ExtendedKey<Secp256k1>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<KeyShare<S::Output>, TweakError> {
        self.moved(&public.output(root, path, merkle_root)?)
    }
}

impl<S: KeySuite> KeyShare<S> {
    /// This party's share of a shifted key.
    pub(crate) fn moved<T: KeySuite<Curve = S::Curve>>(
        &self,
        by: &Shifted<Frost<S>, Frost<T>>,
    ) -> Result<KeyShare<T>, TweakError> {
        let share = self.secret_share().shift(by).map_err(TweakError::Mismatch)?;
        Ok(KeyShare::from_shared(share, by.key()))
    }
}

impl<S: Ciphersuite> Commitments<S> {
    /// These commitments for a signature of `child`, a descendant of the key whose share made them. `parent` names that key and its
    /// epoch, as the coordinator knows them.
    ///
    /// # Errors
    /// [`Mismatch`] if the commitments are of another key or epoch than `parent`, or `child` is of another epoch. Nobody is to blame.
    pub fn for_child(
        self,
        parent: PackageId,
        child: &PublicKeyPackage<S>,
    ) -> Result<Self, Mismatch> {
        let package = child.package_id();
        check_parent(&self.package, &parent, &package)?;
        Ok(Self { package, ..self })
    }
}

impl<S: Ciphersuite> NonceBatch<S> {
    /// Takes a pair as [`Self::claim_for`], for a package of a descendant of the key whose share made the batch. `share` is this
    /// party's share of that descendant, which signs the package. `parent` names the key that the batch has to be of, and its epoch
    /// now.
    ///
    /// # Errors
    /// Those of [`Self::claim_for`]. A batch of another key or epoch than `parent` is a [`SignError::Mismatch`], and so is a
    /// descendant of another epoch.
    pub fn claim_for_child(
        &mut self,
        parent: PackageId,
        share: &KeyShare<S>,
        package: &SigningPackage<S>,
    ) -> Result<Claim<S>, ClaimError> {
        let child = share.package_id();
        let fits = check_parent(&self.package_id(), &parent, &child);
        self.claim(share, package, None, fits.map(|()| child).map_err(SignError::Mismatch))
    }
}

/// Checks that nonces of the key `made` are those of `parent`, and that `child` can descend from it: a descendant has its epoch.
fn check_parent(made: &PackageId, parent: &PackageId, child: &PackageId) -> Result<(), Mismatch> {
    made.check_belongs_to(parent)?;
    let (expected, got) = (child.epoch(), parent.epoch());
    if got == expected { Ok(()) } else { Err(Mismatch::WrongEpoch { expected, got }) }
}
