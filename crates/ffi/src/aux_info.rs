//! The auxiliary information of threshold ECDSA: the search for primes, and the values that the parties make of them.

use std::sync::{Arc, Mutex};

use quorate::ecdsa::{self, AuxStep};
use quorate::session::zeroize::Zeroizing;

use crate::arguments::{lock, numbers, parties};
use crate::error::{ErrorKind, QuorateError, Result};
use crate::level::Level;
use crate::seal_key::SealKey;

/// The purposes under which a search and its result are sealed.
const SEARCH: &str = "quorate-ffi search for primes";
const AUX_INFO: &str = "quorate-ffi auxiliary information";

/// The search for a party's primes, which takes seconds to minutes. Drop it to cancel.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct AuxSearch {
    level: Level,
    /// The search, until it has ended.
    value: Mutex<Option<ecdsa::AuxSearch>>,
}

/// The level, then the secret part.
fn labelled(level: Level, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut labelled = Zeroizing::new(Vec::with_capacity(bytes.len() + 1));
    labelled.push(level.code());
    labelled.extend_from_slice(bytes);
    labelled
}

/// Undoes [`labelled`].
fn unlabelled(bytes: &[u8]) -> Result<(Level, &[u8])> {
    let empty = || QuorateError::new(ErrorKind::Encoding, "there is nothing under the seal");
    let (code, rest) = bytes.split_first().ok_or_else(empty)?;
    Ok((Level::from_code(*code)?, rest))
}

fn ended() -> QuorateError {
    QuorateError::consumed("the search")
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl AuxSearch {
    /// Begins a search.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn start(level: Level) -> Result<Arc<Self>> {
        let rng = &mut crate::arguments::rng()?;
        let search = ecdsa::AuxSecrets::generate(level.into(), rng)?;
        Ok(Arc::new(Self { level, value: Mutex::new(Some(search)) }))
    }

    /// Resumes a search that was sealed.
    ///
    /// # Errors
    /// `Seal` for another key or altered bytes.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(sealed: Vec<u8>, key: Arc<SealKey>) -> Result<Arc<Self>> {
        let bytes = key.inner().open_bytes(SEARCH, &sealed)?;
        let (level, saved) = unlabelled(&bytes)?;
        let search = ecdsa::AuxSearch::resume(level.into(), saved)?;
        Ok(Arc::new(Self { level, value: Mutex::new(Some(search)) }))
    }

    /// The search, encrypted and authenticated, to be resumed later with the same result. Keep the last one until the
    /// auxiliary information is made: the secrets can be restored from it.
    ///
    /// # Errors
    /// `Consumed` when it has ended.
    pub fn seal(&self, key: Arc<SealKey>) -> Result<Vec<u8>> {
        let value = lock(&self.value);
        let saved = value.as_ref().ok_or_else(ended)?.save();
        Ok(key.inner().seal_bytes(SEARCH, &labelled(self.level, &saved)))
    }

    /// Continues for at most `budget` tests of candidates, of some milliseconds each. Gives the secrets when all primes are found.
    ///
    /// # Errors
    /// `Consumed` when it has ended.
    pub fn step(&self, budget: u32) -> Result<Option<Arc<AuxSecrets>>> {
        let mut value = lock(&self.value);
        match value.take().ok_or_else(ended)?.step(budget.into())? {
            AuxStep::Searching(search) => {
                *value = Some(search);
                Ok(None)
            }
            AuxStep::Done(secrets) => Ok(Some(Arc::new(AuxSecrets(Arc::new(secrets))))),
        }
    }

    /// The part of the work that is done, from 0 to 1: a guess, as primes come by chance.
    ///
    /// # Errors
    /// `Consumed` when it has ended.
    pub fn progress(&self) -> Result<f64> {
        Ok(lock(&self.value).as_ref().ok_or_else(ended)?.progress().fraction)
    }
}

/// A party's own primes, for `Task.MakeAuxInfo`. They are not stored: the last sealed `AuxSearch` gives them again.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct AuxSecrets(pub(crate) Arc<ecdsa::AuxSecrets>);

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl AuxSecrets {
    /// The level of both moduli.
    pub fn level(&self) -> Result<Level> {
        Level::of(self.0.level())
    }
}

/// A party's auxiliary information: its own secrets, and the proved public values of all parties. It serves any number of
/// keys, of either curve.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct AuxInfo(pub(crate) Arc<ecdsa::AuxInfo>);

impl AuxInfo {
    pub(crate) fn encode(&self) -> Result<Zeroizing<Vec<u8>>> {
        Ok(labelled(Level::of(self.0.level())?, &self.0.to_bytes()))
    }

    /// Undoes `encode`.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Arc<Self>> {
        let (level, bytes) = unlabelled(bytes)?;
        let info = ecdsa::AuxInfo::from_bytes(level.into(), bytes)?;
        Ok(Arc::new(Self(Arc::new(info))))
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl AuxInfo {
    /// Opens sealed auxiliary information.
    ///
    /// # Errors
    /// `Seal` for another key or altered bytes.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(sealed: Vec<u8>, key: Arc<SealKey>) -> Result<Arc<Self>> {
        Self::decode(&key.inner().open_bytes(AUX_INFO, &sealed)?)
    }

    /// The auxiliary information, encrypted and authenticated.
    pub fn seal(&self, key: Arc<SealKey>) -> Result<Vec<u8>> {
        Ok(key.inner().seal_bytes(AUX_INFO, &self.encode()?))
    }

    /// The party whose secrets are here.
    pub fn id(&self) -> u16 {
        self.0.id().get()
    }

    /// The parties, ascending.
    pub fn parties(&self) -> Vec<u16> {
        numbers(self.0.parties().iter())
    }

    /// The parties among these for which it has no values. It has to be made again with them before they presign.
    ///
    /// # Errors
    /// `Arguments` for a list that is no set of parties.
    pub fn lacks(&self, of: Vec<u16>) -> Result<Vec<u16>> {
        Ok(numbers(self.0.lacks(&parties(&of)?)))
    }

    /// Returns whether all parties have confirmed it. Unconfirmed auxiliary information does not presign.
    pub fn is_confirmed(&self) -> bool {
        self.0.is_confirmed()
    }

    /// A digest of its public part, 32 bytes.
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest().to_vec()
    }

    /// This auxiliary information, marked as confirmed by your own decision. Compare the `digest` of **all** parties first, over channels
    /// that you trust.
    pub fn confirmed(&self) -> Result<Arc<Self>> {
        let bytes = self.0.to_bytes();
        let mut info = ecdsa::AuxInfo::from_bytes(self.0.level(), &bytes)?;
        info.confirm();
        Ok(Arc::new(Self(Arc::new(info))))
    }
}
