//! Child keys: one derivation for all schemes.

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

fn wrong(why: impl core::fmt::Display) -> Refusal {
    Refusal::new(Reason::WrongPath, why)
}
