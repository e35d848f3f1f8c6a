//! Shares of keys, whatever their scheme.

mod ecdsa;
mod frost;
mod mldsa;
mod suite;

use core::any::Any;
use std::rc::Rc;

use custody_core::{Child, Material, Refusal, Root, Scheme};
use quorate::keys::{DecodeError, KeyTypes, PackageId, ShareState, SharedKey, agreement};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{ClaimRecord, Parties, Protocol, SealKey};
use quorate_purpose::Message;

pub(crate) use self::ecdsa::EcdsaKey;
pub(crate) use self::frost::FrostKey;
pub(crate) use self::mldsa::MlDsaKey;
pub(crate) use self::suite::Suite;

/// A family of keys that the node holds shares of.
pub(crate) trait KeyFamily: KeyTypes {
    /// A share with the public side of its key.
    type Held: Held;
    /// The protocol that makes a key.
    type Generate: Protocol;

    /// The share and the public side in their stored forms, of which the first is secret.
    fn stored(share: &Self::Share, public: &Self::Public) -> (Zeroizing<Vec<u8>>, Vec<u8>);

    /// The public side in its stored form.
    fn public_bytes(public: &Self::Public) -> Vec<u8>;

    /// Opens both.
    fn open(share: &[u8], public: &[u8]) -> Result<Self::Held, DecodeError>;

    /// The public key, in the encoding that verifiers of the scheme take.
    fn public_key(public: &Self::Public) -> Vec<u8>;
}

/// A share of a key, with the public side of the key.
pub(crate) trait Held: Any {
    fn state(&self) -> ShareState;
    fn package_id(&self) -> PackageId;
    fn parties(&self) -> &Parties;
    fn threshold(&self) -> u16;
    fn public_key(&self) -> Vec<u8>;
    /// The public side in its stored form.
    fn package(&self) -> Vec<u8>;
    /// The share in its stored form.
    fn secret(&self) -> Zeroizing<Vec<u8>>;
    /// The root of the key's children; `None` if keys of the scheme have none.
    fn root(&self) -> Option<Root>;
    /// The share as the agreement about new shares has it.
    fn agreed(&self) -> Result<agreement::Held, DecodeError>;
    /// This share as confirmed by all members, in its stored form.
    fn confirmed(&self) -> Result<Zeroizing<Vec<u8>>, DecodeError>;
    /// Makes pairs of nonces.
    fn make_nonces(&self, count: u16, key: &SealKey) -> Result<Vec<Made>, Refusal>;
    /// Reads what an order spends of this node, for this message. The bytes are the gateway's, and bounded before they are decoded.
    fn read(&self, material: &Material, message: &Message) -> Result<Spends, Refusal>;
    /// Spends what was made ahead. Nothing may leave the node before the claim is recorded.
    fn spend(&self, made: &[u8], on: &Spend<'_>, key: &SealKey) -> Result<Share, Refusal>;
    fn as_any(&self) -> &dyn Any;
}

/// A presignature or a pair of nonces.
pub(crate) struct Made {
    /// The name, under which it is claimed.
    pub(crate) name: [u8; 32],
    /// The public side, for a gateway.
    pub(crate) public: Vec<u8>,
    /// The secret side, sealed.
    pub(crate) sealed: Vec<u8>,
}

/// The material of this node that an order spends.
pub(crate) struct Spends {
    /// The name of the presignature or the pair of nonces.
    pub(crate) name: [u8; 32],
    /// The signing package of FROST.
    pub(crate) package: Option<Box<dyn Any>>,
}

/// The signature that material is spent on.
pub(crate) struct Spend<'a> {
    pub(crate) spends: &'a Spends,
    /// The message, which the node has made from the purpose.
    pub(crate) message: &'a Message,
    /// The child that signs.
    pub(crate) child: &'a Child,
}

/// A share of a signature that has not left yet.
pub(crate) struct Share {
    /// The claim that has to be recorded first.
    pub(crate) claim: ClaimRecord,
    pub(crate) bytes: Vec<u8>,
}

/// Calls a generic function for the family of a scheme: `by_scheme!(scheme, F => expression, otherwise)`. ML-DSA has no family, as it
/// has no curve.
macro_rules! by_scheme {
    ($scheme:expr, $family:ident => $body:expr, $otherwise:expr) => {
        match $scheme {
            custody_core::Scheme::EcdsaSecp256k1 => {
                type $family = quorate::ecdsa::Ecdsa<quorate::ecdsa::Secp256k1>;
                $body
            }
            custody_core::Scheme::EcdsaP256 => {
                type $family = quorate::ecdsa::Ecdsa<quorate::ecdsa::P256>;
                $body
            }
            custody_core::Scheme::Ed25519 => {
                type $family =
                    quorate::frost::generic::Frost<quorate::frost::ed25519::Ed25519Sha512>;
                $body
            }
            custody_core::Scheme::Taproot => {
                type $family =
                    quorate::frost::generic::Frost<quorate::frost::secp256k1_tr::TaprootInternal>;
                $body
            }
            custody_core::Scheme::Ed448 => {
                type $family = quorate::frost::generic::Frost<quorate::frost::ed448::Ed448Shake256>;
                $body
            }
            custody_core::Scheme::MlDsa65 => $otherwise,
        }
    };
}
pub(crate) use by_scheme;

/// Opens a stored share.
pub(crate) fn open(
    scheme: Scheme,
    share: &[u8],
    public: &[u8],
) -> Result<Rc<dyn Held>, DecodeError> {
    fn of<F: KeyFamily>(share: &[u8], public: &[u8]) -> Result<Rc<dyn Held>, DecodeError> {
        F::open(share, public).map(|held| Rc::new(held) as Rc<dyn Held>)
    }
    by_scheme!(scheme, F => of::<F>(share, public), Ok(Rc::new(MlDsaKey::open(share, public)?)))
}

/// The public side of a key, read for a party that may hold no share of it.
pub(crate) fn shared<F: KeyFamily>(public: &[u8]) -> Result<SharedKey<F>, DecodeError> {
    SharedKey::from_bytes(public)
}
