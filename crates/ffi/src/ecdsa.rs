//! Signing with presignatures.

use std::sync::{Arc, Mutex};

use quorate::ecdsa::{Ecdsa, MessageDigest, Presignature as Inner, PresignatureInfo as Info};
use quorate::session;

use crate::Scheme;
use crate::arguments::{Received, lock, numbers, pairs, path};
use crate::claim::{Claimed, ShareClaim};
use crate::error::{QuorateError, Result};
use crate::family::Curve;
use crate::key_share::KeyShare;
use crate::public_key_package::PublicKeyPackage;
use crate::scheme::{Owned, Shared, by_kind, unwrap, view};
use crate::seal_key::SealKey;
use crate::signature::Signature;
use crate::table::SpentTable;

/// The object that a FROST key does not have: only ECDSA has presignatures.
const ECDSA: &str = "presignatures: it signs with nonces";

/// The hash function of a message that is signed with a presignature.
///
/// A digest that was made elsewhere is refused, because the safety of presignatures rests on the hash. `Task.SignDigest`
/// takes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum MessageHash {
    /// SHA-256, the hash of most ECDSA.
    Sha256,
    /// SHA-256 of SHA-256, as Bitcoin signs.
    Sha256d,
}

impl MessageHash {
    fn of(self, message: &[u8]) -> MessageDigest {
        match self {
            Self::Sha256 => MessageDigest::sha256(message),
            Self::Sha256d => MessageDigest::sha256d(message),
        }
    }
}

/// One signer's part of a presignature: a signature takes this, the message and the path.
///
/// **It signs once**, whichever copy of the handle is used. A stored presignature can be restored; the table of spent names
/// keeps it from being spent twice.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct Presignature {
    info: Arc<PresignatureInfo>,
    /// The presignature of the scheme's curve, until it is spent.
    value: Mutex<Option<Box<Owned>>>,
}

impl Presignature {
    pub(crate) fn of<C: Curve>(presignature: Inner<C>) -> Arc<Self> {
        let info = PresignatureInfo::of::<C>(presignature.info().clone());
        Arc::new(Self { info, value: Mutex::new(Some(Box::new(presignature))) })
    }

    pub(crate) fn scheme(&self) -> Scheme {
        self.info.scheme
    }

    pub(crate) fn sealed(&self, key: &session::SealKey) -> Result<Vec<u8>> {
        let value = lock(&self.value);
        let value = value.as_ref().ok_or_else(spent)?;
        by_kind!(self.info.scheme,
            _S => Err(self.info.scheme.lacks(ECDSA)),
            C => {
                let one = value.downcast_ref::<Inner<C>>().ok_or_else(crate::scheme::other_scheme)?;
                Ok(one.seal(key))
            }
        )
    }

    /// Takes the presignature out before anything can fail, and claims it.
    fn claimed(
        &self,
        share: &KeyShare,
        at: &str,
        message: &[u8],
        hash: MessageHash,
    ) -> Result<Claimed<Vec<u8>>> {
        let at = path(at)?;
        let value = lock(&self.value).take().ok_or_else(spent)?;
        by_kind!(self.info.scheme,
            _S => Err(self.info.scheme.lacks(ECDSA)),
            C => {
                let share = &share.view::<Ecdsa<C>>()?.share;
                let claim = unwrap::<Inner<C>>(value)?.claim(share, &at, hash.of(message))?;
                Ok(Claimed::new(claim.record(), move |receipt| Ok(claim.release(receipt)?.to_bytes())))
            }
        )
    }

    pub(crate) fn unsealed(
        scheme: Scheme,
        sealed: &[u8],
        key: &session::SealKey,
    ) -> Result<Arc<Self>> {
        by_kind!(scheme,
            _S => Err(scheme.lacks(ECDSA)),
            C => Ok(Self::of::<C>(Inner::open(sealed, key)?))
        )
    }
}

fn spent() -> QuorateError {
    QuorateError::consumed("the presignature")
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl Presignature {
    /// Opens a sealed presignature.
    ///
    /// # Errors
    /// `Seal` for another key, another scheme or altered bytes.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(scheme: Scheme, sealed: Vec<u8>, key: Arc<SealKey>) -> Result<Arc<Self>> {
        Self::unsealed(scheme, &sealed, key.inner())
    }

    /// The presignature, encrypted and authenticated. Delete it once its signature share is sent.
    ///
    /// # Errors
    /// `Consumed` once it was spent.
    pub fn seal(&self, key: Arc<SealKey>) -> Result<Vec<u8>> {
        self.sealed(key.inner())
    }

    /// The public side of it, equal at all its signers.
    pub fn info(&self) -> Arc<PresignatureInfo> {
        Arc::clone(&self.info)
    }

    /// Spends it on a message with the key at `at`, a path such as `m/0/7`, or `m` for the key itself: records it in the
    /// table, and gives this signer's signature share. It is used up even if the call fails.
    ///
    /// # Errors
    /// `Consumed` if it was used before; `Spent` if the table has another digest for it; `Table` if the table failed, and
    /// then nothing was released; `Mismatch` for a share of another key, epoch or party; `Unconfirmed`.
    pub fn sign(
        &self,
        share: Arc<KeyShare>,
        at: String,
        message: Vec<u8>,
        hash: MessageHash,
        table: Arc<dyn SpentTable>,
    ) -> Result<Vec<u8>> {
        self.claimed(&share, &at, &message, hash)?.store(table)
    }

    /// The same for a table that does not answer at once.
    ///
    /// # Errors
    /// `Consumed` if it was used before; `Mismatch` for a share of another key, epoch or party; `Unconfirmed`.
    pub fn claim(
        &self,
        share: Arc<KeyShare>,
        at: String,
        message: Vec<u8>,
        hash: MessageHash,
    ) -> Result<Arc<ShareClaim>> {
        Ok(Arc::new(ShareClaim(self.claimed(&share, &at, &message, hash)?)))
    }
}

/// The public side of a presignature: enough to aggregate signature shares.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct PresignatureInfo {
    scheme: Scheme,
    /// The value of the scheme's curve.
    value: Arc<Shared>,
}

impl PresignatureInfo {
    fn of<C: Curve>(info: Info<C>) -> Arc<Self> {
        Arc::new(Self { scheme: <C as Curve>::SCHEME, value: Arc::new(info) })
    }

    fn view<C: Curve>(&self) -> Result<&Info<C>> {
        view(&*self.value)
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl PresignatureInfo {
    /// Opens what `to_bytes` gave.
    ///
    /// # Errors
    /// `Encoding` for anything else.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn from_bytes(scheme: Scheme, bytes: Vec<u8>) -> Result<Arc<Self>> {
        by_kind!(scheme,
            _S => Err(scheme.lacks(ECDSA)),
            C => Ok(Self::of::<C>(Info::from_bytes(&bytes)?))
        )
    }

    /// The stored form, which is public.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        by_kind!(self.scheme, _S => Err(self.scheme.lacks(ECDSA)), C => Ok(self.view::<C>()?.to_bytes()))
    }

    /// The name, 36 bytes, equal at all its signers.
    pub fn id(&self) -> Result<Vec<u8>> {
        by_kind!(self.scheme,
            _S => Err(self.scheme.lacks(ECDSA)),
            C => Ok(self.view::<C>()?.id().to_bytes().to_vec())
        )
    }

    /// The signers, ascending. All of them have to take part.
    pub fn signers(&self) -> Result<Vec<u16>> {
        by_kind!(self.scheme,
            _S => Err(self.scheme.lacks(ECDSA)),
            C => Ok(numbers(self.view::<C>()?.signers().iter()))
        )
    }

    /// Aggregates the signature shares of all signers, and verifies the signature. `public` is the key that was presigned for, and
    /// `at` the path of the one that signs. Each share comes with its sender, as the **authenticated** transport names it.
    ///
    /// # Errors
    /// `Misbehaviour` names the signers whose shares are wrong; `Missing`; `Mismatch` if the signers do not agree on what
    /// they sign.
    pub fn aggregate(
        &self,
        public: Arc<PublicKeyPackage>,
        at: String,
        message: Vec<u8>,
        hash: MessageHash,
        signature_shares: Vec<Received>,
    ) -> Result<Signature> {
        let (at, shares) = (path(&at)?, pairs(signature_shares)?);
        by_kind!(self.scheme,
            _S => Err(self.scheme.lacks(ECDSA)),
            C => {
                let child = public.view::<Ecdsa<C>>()?.derivation(&at)?;
                let signature = self.view::<C>()?.aggregate(&child, hash.of(&message), shares)?;
                Ok(Signature::ecdsa(&signature))
            }
        )
    }
}
