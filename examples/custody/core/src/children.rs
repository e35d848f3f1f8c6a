//! Child keys: one derivation for all schemes.

use core::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use quorate_curve::{Ed448, Ed25519, P256, Secp256k1};
use quorate_keys::derive::{Derivable, DerivationPath, Derived, TaprootKey};
use serde::{Deserialize, Serialize};

use crate::fields::{base64, base64_array};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::scheme::Scheme;

/// The root of a key's children: whoever has it derives the public key at each path.
///
/// Over secp256k1 the children are those of BIP-32, over P-256 those of SLIP-10, and of the Edwards curves Quorate's own. A key of
/// Taproot is an account of BIP-86: each path leads to an output key without scripts, `m` too, and the point is the internal key.
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
    /// The public key at a path, in the encoding that verifiers of the scheme take.
    ///
    /// # Errors
    /// A [`Refusal`] with [`Reason::WrongPath`] if there is no such child.
    pub fn public_key(&self, scheme: Scheme, path: &DerivationPath) -> Result<Vec<u8>, Refusal> {
        match scheme {
            Scheme::EcdsaSecp256k1 => self.encoded::<Secp256k1>(path),
            Scheme::EcdsaP256 => self.encoded::<P256>(path),
            Scheme::Ed25519 => self.encoded::<Ed25519>(path),
            Scheme::Ed448 => self.encoded::<Ed448>(path),
            Scheme::Taproot => {
                let key = TaprootKey::new(&self.derived(path)?, None).map_err(wrong)?;
                Ok(key.output().to_vec())
            }
            Scheme::MlDsa65 => Err(wrong("keys of this scheme have no children")),
        }
    }

    fn encoded<C: Derivable>(&self, path: &DerivationPath) -> Result<Vec<u8>, Refusal> {
        Ok(C::encode_point(&self.derived::<C>(path)?.key).as_ref().to_vec())
    }

    fn derived<C: Derivable>(&self, path: &DerivationPath) -> Result<Derived<C>, Refusal> {
        let point = C::decode_point(&self.point).ok_or_else(|| wrong("the root is no point"))?;
        Derived::at(&point, &self.chain_code, path).map_err(wrong)
    }
}

/// The derivations of a key at the paths that were asked for last. Most requests are for a few paths.
#[derive(Debug)]
pub struct Derivations<T>(RefCell<HashMap<DerivationPath, Arc<T>>>);

impl<T> Derivations<T> {
    /// The most paths. Once there is another one, all are forgotten.
    const MOST: usize = 256;

    /// Gives what is at a path: derived, unless it is there already.
    ///
    /// # Errors
    /// The error of the derivation, which is not kept.
    pub fn at<E>(
        &self,
        path: &DerivationPath,
        derive: impl FnOnce(&DerivationPath) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        if let Some(known) = self.0.borrow().get(path) {
            return Ok(Arc::clone(known));
        }
        let derived = Arc::new(derive(path)?);
        let mut all = self.0.borrow_mut();
        if all.len() >= Self::MOST {
            all.clear();
        }
        all.insert(path.clone(), Arc::clone(&derived));
        Ok(derived)
    }
}

impl<T> Default for Derivations<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

fn wrong(why: impl core::fmt::Display) -> Refusal {
    Refusal::new(Reason::WrongPath, why)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn derivation_is_made_once_for_each_path_and_their_number_is_bounded() {
        let (all, made) = (Derivations::default(), core::cell::Cell::new(0));
        let derive = |path: &DerivationPath| {
            made.set(made.get() + 1);
            Ok::<_, ()>(path.to_string())
        };
        for at in (0..300).chain(290..300) {
            let path = format!("m/{at}").parse().unwrap();
            assert_eq!(*all.at(&path, derive).unwrap(), format!("m/{at}"));
        }
        assert_eq!(made.get(), 300);
        assert!(all.0.borrow().len() <= Derivations::<String>::MOST);
        let none = all.at(&"m/7".parse().unwrap(), |_| Err(()));
        assert_eq!(none, Err(()));
    }
}
