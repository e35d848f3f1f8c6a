//! Child keys: one derivation for all schemes.

use core::cell::RefCell;
use core::fmt;
use core::str::FromStr;
use std::collections::HashMap;
use std::sync::Arc;

use quorate_curve::{Ed448, Ed25519, P256, Secp256k1};
use quorate_keys::derive::{Derivable, DerivationPath, Derived, TaprootKey};
use serde::{Deserialize, Serialize};

use crate::fields::{base64, base64_array};
use crate::id::{self, NotAnId};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::scheme::Scheme;

/// The Merkle root of a tree of scripts (BIP-341).
///
/// Its text is 64 lower-case hexadecimal digits, as in a query and on a command line. In JSON it is base64, as all bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MerkleRoot(
    /// The 32 bytes.
    #[serde(with = "base64_array")]
    pub [u8; 32],
);

impl FromStr for MerkleRoot {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        id::parse(text).map(Self).ok_or(NotAnId)
    }
}

impl fmt::Display for MerkleRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The place of a child key: the path to it, and the scripts that its output commits to. The default is the key itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Child {
    /// The path from the key: `m` for the key itself.
    pub path: DerivationPath,
    /// The Merkle root of the scripts, for keys of Taproot alone. Without one the output has no scripts.
    pub merkle_root: Option<MerkleRoot>,
}

impl Child {
    /// Checks that keys of a scheme can have such a child: only outputs of Taproot commit to scripts.
    ///
    /// # Errors
    /// A [`Refusal`] with [`Reason::Unsupported`].
    pub fn check_scheme(&self, scheme: Scheme) -> Result<(), Refusal> {
        if self.merkle_root.is_none() || scheme == Scheme::Taproot {
            return Ok(());
        }
        let detail = format_args!("keys of {scheme} commit to no scripts: expected no merkle_root");
        Err(Refusal::new(Reason::Unsupported, detail))
    }
}

impl From<DerivationPath> for Child {
    fn from(path: DerivationPath) -> Self {
        Self { path, merkle_root: None }
    }
}

/// The root of a key's children: whoever has it derives the public key of each.
///
/// Over secp256k1 the children are those of BIP-32, over P-256 those of SLIP-10, and of the Edwards curves Quorate's own. A key of
/// Taproot is an account of BIP-86: each path leads to an output key, `m` too, and the point is the internal key. The output has no
/// scripts unless the child has their Merkle root.
///
/// The chain code of keys of FROST follows from the key, so whoever knows the key can link its children.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Root {
    /// The encoding of the point, in base64.
    #[serde(with = "base64")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub point: Vec<u8>,
    /// The chain code: 32 bytes in base64.
    #[serde(with = "base64_array")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, content_encoding = "base64"))]
    pub chain_code: [u8; 32],
}

impl Root {
    /// The public key of a child, in the encoding that verifiers of the scheme take.
    ///
    /// # Errors
    /// A [`Refusal`] with [`Reason::WrongPath`] if there is no such child, with [`Reason::Unsupported`] if keys of the scheme commit
    /// to no scripts.
    pub fn public_key(&self, scheme: Scheme, child: &Child) -> Result<Vec<u8>, Refusal> {
        child.check_scheme(scheme)?;
        let path = &child.path;
        match scheme {
            Scheme::EcdsaSecp256k1 => self.encoded::<Secp256k1>(path),
            Scheme::EcdsaP256 => self.encoded::<P256>(path),
            Scheme::Ed25519 => self.encoded::<Ed25519>(path),
            Scheme::Ed448 => self.encoded::<Ed448>(path),
            Scheme::Taproot => Ok(self.taproot(child)?.output().to_vec()),
            Scheme::MlDsa65 => Err(wrong("keys of this scheme have no children")),
        }
    }

    /// The internal key and the output key of a child. The root is that of a key of Taproot.
    ///
    /// # Errors
    /// A [`Refusal`] with [`Reason::WrongPath`] if there is no such child.
    pub fn taproot(&self, child: &Child) -> Result<TaprootKey, Refusal> {
        let scripts = child.merkle_root.as_ref().map(|root| &root.0);
        TaprootKey::new(&self.derived(&child.path)?, scripts).map_err(wrong)
    }

    fn encoded<C: Derivable>(&self, path: &DerivationPath) -> Result<Vec<u8>, Refusal> {
        Ok(C::encode_point(&self.derived::<C>(path)?.key).as_ref().to_vec())
    }

    fn derived<C: Derivable>(&self, path: &DerivationPath) -> Result<Derived<C>, Refusal> {
        let point = C::decode_point(&self.point).ok_or_else(|| wrong("the root is no point"))?;
        Derived::at(&point, &self.chain_code, path).map_err(wrong)
    }
}

/// The derivations of a key's children that were asked for last. Most requests are for a few children.
#[derive(Debug)]
pub struct Derivations<T>(RefCell<HashMap<Child, Arc<T>>>);

impl<T> Derivations<T> {
    /// The most children. Once there is another one, all are forgotten.
    const MOST: usize = 256;

    /// Gives what belongs to a child: derived, unless it is there already.
    ///
    /// # Errors
    /// The error of the derivation, which is not kept.
    pub fn at<E>(
        &self,
        child: &Child,
        derive: impl FnOnce(&Child) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        if let Some(known) = self.0.borrow().get(child) {
            return Ok(Arc::clone(known));
        }
        let derived = Arc::new(derive(child)?);
        let mut all = self.0.borrow_mut();
        if all.len() >= Self::MOST {
            all.clear();
        }
        all.insert(child.clone(), Arc::clone(&derived));
        Ok(derived)
    }
}

impl<T> Default for Derivations<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

fn wrong(why: impl fmt::Display) -> Refusal {
    Refusal::new(Reason::WrongPath, why)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn at(path: &str) -> Child {
        path.parse::<DerivationPath>().unwrap().into()
    }

    #[test]
    fn derivation_is_made_once_for_each_path_and_their_number_is_bounded() {
        let (all, made) = (Derivations::default(), core::cell::Cell::new(0));
        let derive = |child: &Child| {
            made.set(made.get() + 1);
            Ok::<_, ()>(child.path.to_string())
        };
        for index in (0..300).chain(290..300) {
            let path = format!("m/{index}");
            assert_eq!(*all.at(&at(&path), derive).unwrap(), path);
        }
        assert_eq!(made.get(), 300);
        assert!(all.0.borrow().len() <= Derivations::<String>::MOST);
        let none = all.at(&at("m/7"), |_| Err(()));
        assert_eq!(none, Err(()));
    }

    #[test]
    fn derivations_of_one_path_with_other_scripts_are_kept_apart() {
        let all = Derivations::default();
        let roots = [None, Some(MerkleRoot([1; 32])), Some(MerkleRoot([2; 32]))];
        for _ in 0..2 {
            for merkle_root in roots {
                let child = Child { merkle_root, ..at("m/0/5") };
                let found = all.at(&child, |child| Ok::<_, ()>(child.clone()));
                assert_eq!(*found.unwrap(), child);
            }
        }
        assert_eq!(all.0.borrow().len(), 3);
    }
}
