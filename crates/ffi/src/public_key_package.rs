//! The public side of a key.

use std::sync::Arc;

use quorate::keys::SharedKey;

use crate::Scheme;
use crate::arguments::numbers;
#[cfg(feature = "life")]
use crate::arguments::path;
use crate::error::Result;
use crate::family::Family;
use crate::scheme::{Shared, by_family, view};

/// The public side of a key in one epoch, equal at all parties: the group's key, the threshold, and every party's public
/// share.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug, Eq, Hash))]
pub struct PublicKeyPackage {
    scheme: Scheme,
    /// The `Public` of the scheme's family.
    value: Arc<Shared>,
}

impl PublicKeyPackage {
    pub(crate) fn of<F: Family>(public: F::Public) -> Arc<Self> {
        Arc::new(Self { scheme: F::SCHEME, value: Arc::new(public) })
    }

    pub(crate) fn view<F: Family>(&self) -> Result<&F::Public> {
        view(&*self.value)
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl PublicKeyPackage {
    /// Opens what `to_bytes` gave.
    ///
    /// # Errors
    /// `Encoding` for anything else.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn from_bytes(scheme: Scheme, bytes: Vec<u8>) -> Result<Arc<Self>> {
        by_family!(scheme, F => Ok(Self::of::<F>(<F as quorate::keys::KeyTypes>::public(SharedKey::from_bytes(&bytes)?))))
    }

    /// The stored form, which is public. Keep it authentic: culprits are named by it.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        by_family!(self.scheme, F => Ok(<F as Family>::shared(self.view::<F>()?).to_bytes()))
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The group's key as its verifiers read it: 32 bytes for Ed25519, Ristretto255 and Taproot (x alone), 57 for Ed448,
    /// a compressed point of 33 for the rest.
    pub fn verifying_key(&self) -> Result<Vec<u8>> {
        by_family!(self.scheme, F => Ok(<F as Family>::verifying_key(self.view::<F>()?)))
    }

    /// The key as a `PUBLIC KEY` in PEM, for ECDSA.
    ///
    /// # Errors
    /// `Arguments` for the other schemes.
    pub fn pem(&self) -> Result<String> {
        by_family!(self.scheme, F => <F as Family>::pem(self.view::<F>()?))
    }

    /// The number of parties that it takes to sign.
    pub fn threshold(&self) -> Result<u16> {
        by_family!(self.scheme, F => Ok(<F as Family>::shared(self.view::<F>()?).threshold()))
    }

    /// How often the key was refreshed or reshared.
    pub fn epoch(&self) -> Result<u32> {
        by_family!(self.scheme, F => Ok(<F as Family>::shared(self.view::<F>()?).epoch()))
    }

    /// The parties that hold shares, ascending.
    pub fn parties(&self) -> Result<Vec<u16>> {
        by_family!(self.scheme, F => {
            Ok(numbers(<F as Family>::shared(self.view::<F>()?).parties().iter()))
        })
    }

    /// A name for the key, 32 bytes, equal at all its parties and over all epochs.
    pub fn key_id(&self) -> Result<Vec<u8>> {
        by_family!(self.scheme, F => {
            Ok(<F as Family>::shared(self.view::<F>()?).package_id().key_id().to_vec())
        })
    }

    /// A digest of everything here, 32 bytes. Parties compare it before they confirm a share.
    pub fn digest(&self) -> Result<Vec<u8>> {
        by_family!(self.scheme, F => {
            Ok(<F as Family>::shared(self.view::<F>()?).package_id().digest().to_vec())
        })
    }

    /// Verifies a signature of a message, by its `bytes`. ECDSA hashes with SHA-256 and accepts only the smaller s.
    ///
    /// # Errors
    /// `InvalidSignature`, or `Encoding` for bytes that are none.
    pub fn verify(&self, message: Vec<u8>, signature: Vec<u8>) -> Result<()> {
        by_family!(self.scheme, F => {
            <F as Family>::verify(<F as Family>::key(self.view::<F>()?), &message, &signature)
        })
    }
}

#[cfg(feature = "life")]
#[cfg_attr(feature = "uniffi", uniffi::export)]
impl PublicKeyPackage {
    /// The public side of the child key at a path such as `m/0/7`, without hardening: BIP-32 or SLIP-10 for ECDSA; for
    /// FROST below the chain code that follows from the key.
    ///
    /// # Errors
    /// `Arguments` for a path that leads to no key, and for Taproot, whose output keys have no children.
    pub fn child(&self, at: String) -> Result<Arc<Self>> {
        let at = path(&at)?;
        by_family!(self.scheme, F => Ok(Self::of::<F>(<F as Family>::child(self.view::<F>()?, &at)?)))
    }
}
