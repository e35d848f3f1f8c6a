//! One party's share of a key.

#[cfg(feature = "life")]
mod life;

use std::sync::Arc;

use quorate::keys;
use quorate::keys::{KeyTypes, SecretShare, SharedKey};
use quorate::session::wire::{Reader, index};
use quorate::session::zeroize::Zeroizing;

#[cfg(feature = "life")]
pub use self::life::StoredByAll;
use crate::Scheme;
use crate::error::{ErrorKind, QuorateError, Result};
use crate::family::Family;
use crate::public_key_package::PublicKeyPackage;
use crate::scheme::{Shared, by_family, view};
use crate::seal_key::SealKey;

/// The purpose under which a share is sealed.
const DOMAIN: &str = "quorate-ffi key share";

/// The state of a share: whether it signs, and whether older shares may be deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum ShareState {
    /// The share signs, and every party has stored its own.
    Ready,
    /// The share signs, and the share of the epoch before stays beside it until all have acknowledged theirs.
    Pending,
    /// The share does not sign: not every party has confirmed the run that made it. See `confirmed`.
    Unconfirmed,
}

impl From<keys::ShareState> for ShareState {
    fn from(state: keys::ShareState) -> Self {
        match state {
            keys::ShareState::Ready => Self::Ready,
            keys::ShareState::Pending => Self::Pending,
            _ => Self::Unconfirmed,
        }
    }
}

/// A share with the public side of its key.
pub(crate) struct Held<F: Family> {
    pub(crate) share: Arc<F::Share>,
    pub(crate) public: F::Public,
}

/// One party's share of a key, of any scheme. An object does not change: to confirm or settle a share gives another one, to
/// be stored in its place. Shares leave this library sealed.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct KeyShare {
    scheme: Scheme,
    /// [`Held`] of the scheme's family.
    value: Arc<Shared>,
}

impl KeyShare {
    pub(crate) fn of<F: Family>(share: F::Share, public: F::Public) -> Arc<Self> {
        let held = Held::<F> { share: Arc::new(share), public };
        Arc::new(Self { scheme: F::SCHEME, value: Arc::new(held) })
    }

    pub(crate) fn view<F: Family>(&self) -> Result<&Held<F>> {
        view(&*self.value)
    }

    fn secret<F: Family>(&self) -> Result<&SecretShare<F>> {
        Ok(F::secret(&self.view::<F>()?.share))
    }

    /// A changed copy of this share.
    fn changed<F: Family>(
        &self,
        change: impl FnOnce(&mut SecretShare<F>) -> Result<()>,
    ) -> Result<Arc<Self>> {
        let mut share = SecretShare::<F>::from_bytes(&self.secret::<F>()?.to_bytes())?;
        change(&mut share)?;
        let public = self.view::<F>()?.public.clone();
        Ok(Self::of::<F>(F::key_share(share, F::shared(&public)), public))
    }

    /// scheme ‖ length of the public side ‖ public side ‖ share.
    pub(crate) fn encode(&self) -> Result<Zeroizing<Vec<u8>>> {
        by_family!(self.scheme, F => self.encode_as::<F>())
    }

    /// Undoes `encode`.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Arc<Self>> {
        let (scheme, public, share) = parts(bytes)?;
        by_family!(scheme, F => {
            let public = SharedKey::<F>::from_bytes(public)?;
            let share = SecretShare::<F>::from_bytes(share)?;
            share.check_belongs_to(&public)?;
            let share = <F as KeyTypes>::key_share(share, &public);
            Ok(Self::of::<F>(share, <F as KeyTypes>::public(public)))
        })
    }

    fn encode_as<F: Family>(&self) -> Result<Zeroizing<Vec<u8>>> {
        let public = F::shared(&self.view::<F>()?.public).to_bytes();
        let share = self.secret::<F>()?.to_bytes();
        let too_long = |_| QuorateError::new(ErrorKind::Defect, "a public side beyond 4 GiB");
        let length = u32::try_from(public.len()).map_err(too_long)?;
        // Room for everything at once: a buffer that grew would leave secrets behind.
        let room = public.len() + share.len() + 5;
        let mut bytes = Zeroizing::new(Vec::with_capacity(room));
        bytes.push(self.scheme.code());
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(&public);
        bytes.extend_from_slice(&share);
        Ok(bytes)
    }
}

/// A share as it lies in the store, opened but not read.
pub(crate) struct Opened {
    bytes: Zeroizing<Vec<u8>>,
}

impl Opened {
    pub(crate) fn new(sealed: &[u8], key: &SealKey) -> Result<Self> {
        Ok(Self { bytes: key.inner().open_bytes(DOMAIN, sealed)? })
    }

    /// Scheme, public side and share.
    #[cfg(feature = "life")]
    pub(crate) fn parts(&self) -> Result<(Scheme, &[u8], &[u8])> {
        parts(&self.bytes)
    }
}

/// Scheme, public side and share of an encoded share.
fn parts(bytes: &[u8]) -> Result<(Scheme, &[u8], &[u8])> {
    let short = |_| QuorateError::new(ErrorKind::Encoding, "the sealed share ends early");
    let mut reader = Reader::new(bytes);
    let scheme = Scheme::from_code(reader.u8().map_err(short)?)?;
    let length = reader.u32().map_err(short)?;
    let public = reader.bytes(index(length)).map_err(short)?;
    let share = reader.bytes(reader.remaining()).map_err(short)?;
    Ok((scheme, public, share))
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl KeyShare {
    /// Opens a sealed share.
    ///
    /// # Errors
    /// `Seal` for another key or altered bytes.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(sealed: Vec<u8>, key: Arc<SealKey>) -> Result<Arc<Self>> {
        Self::decode(&Opened::new(&sealed, &key)?.bytes)
    }

    /// The share and its public side, encrypted and authenticated.
    pub fn seal(&self, key: Arc<SealKey>) -> Result<Vec<u8>> {
        Ok(key.inner().seal_bytes(DOMAIN, &self.encode()?))
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The party whose share this is.
    pub fn id(&self) -> Result<u16> {
        by_family!(self.scheme, F => Ok(self.secret::<F>()?.id().get()))
    }

    /// The state of this share.
    pub fn state(&self) -> Result<ShareState> {
        by_family!(self.scheme, F => Ok(self.secret::<F>()?.state().into()))
    }

    /// The public side of the key.
    pub fn public(&self) -> Result<Arc<PublicKeyPackage>> {
        by_family!(self.scheme, F => Ok(PublicKeyPackage::of::<F>(self.view::<F>()?.public.clone())))
    }

    /// An unconfirmed share, taken for confirmed: your own decision. Ask **all** parties for the `digest` of their public
    /// key first, over channels that you trust.
    pub fn confirmed(&self) -> Result<Arc<Self>> {
        by_family!(self.scheme, F => self.changed::<F>(|share| {
            share.confirm();
            Ok(())
        }))
    }
}
