//! Signing with FROST: nonces, packages, shares, and the coordinator.

use core::any::Any;
use std::sync::{Arc, Mutex};

use quorate::frost::generic::{
    Commitments, Coordinator, Frost, NonceBatch, Nonces as Pair, PublicKeyPackage as Public,
    SigningPackage as Package, SigningSession as Inner,
};
use quorate::session::wire::index;

use crate::Scheme;
use crate::arguments::{Received, lock, numbers, pairs, party, rng};
use crate::claim::{Claimed, ShareClaim};
use crate::continuity::Continuity;
use crate::error::{ErrorKind, QuorateError, Result, rejected};
use crate::family::Suite;
use crate::key_share::KeyShare;
use crate::public_key_package::PublicKeyPackage;
use crate::scheme::{Owned, Shared, by_kind, unwrap, view};
use crate::seal_key::SealKey;
use crate::signature::Signature;
use crate::table::SpentTable;

/// The most pairs of nonces of one call.
const MOST: u32 = 1 << 16;

/// The name of what FROST has and ECDSA has not, in errors.
#[cfg(feature = "ecdsa")]
const FROST: &str = "nonces: it signs with presignatures";

/// A pair of secret nonces for one signature. It signs once, whichever copy of the handle is used, and cannot be stored:
/// see `NonceStock`.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct Nonces {
    commitments: Vec<u8>,
    /// The pair of the scheme's suite, until it is spent.
    pub(crate) value: Mutex<Option<Box<Owned>>>,
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl Nonces {
    /// The commitments to them, for the coordinator.
    pub fn commitments(&self) -> Vec<u8> {
        self.commitments.clone()
    }
}

/// The message, with the commitments of all signers: what a signer signs.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct SigningPackage {
    scheme: Scheme,
    /// The package of the scheme's suite.
    value: Arc<Shared>,
}

impl SigningPackage {
    fn of<S: Suite>(package: Package<S>) -> Arc<Self> {
        Arc::new(Self { scheme: S::SCHEME, value: Arc::new(package) })
    }

    pub(crate) fn view<S: Suite>(&self) -> Result<&Package<S>> {
        view(&*self.value)
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl SigningPackage {
    /// Reads what a coordinator sent.
    ///
    /// # Errors
    /// `Encoding` for anything else.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn from_bytes(scheme: Scheme, bytes: Vec<u8>) -> Result<Arc<Self>> {
        by_kind!(scheme,
            S => Ok(Self::of::<S>(Package::from_bytes(&bytes)?)),
            C => Err(<C as crate::family::Curve>::SCHEME.lacks(FROST))
        )
    }

    /// The sent form.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        by_kind!(self.scheme, S => Ok(self.view::<S>()?.to_bytes()), _C => Err(self.scheme.lacks(FROST)))
    }

    /// The message. **Look at it before you sign**: nothing in this library does.
    pub fn message(&self) -> Result<Vec<u8>> {
        by_kind!(self.scheme, S => Ok(self.view::<S>()?.message().to_vec()), _C => Err(self.scheme.lacks(FROST)))
    }

    /// The signers, ascending.
    pub fn signers(&self) -> Result<Vec<u16>> {
        by_kind!(self.scheme,
            S => Ok(numbers(self.view::<S>()?.signers().iter().copied())),
            _C => Err(self.scheme.lacks(FROST))
        )
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl KeyShare {
    /// Round one of FROST: a fresh pair of nonces. They stay here, their commitments go to the coordinator.
    ///
    /// # Errors
    /// `Arguments` for ECDSA.
    pub fn commit(&self) -> Result<Arc<Nonces>> {
        by_kind!(self.scheme(),
            S => {
                let (pair, commitments) = self.view::<Frost<S>>()?.share.commit(&mut rng()?);
                let value = Mutex::new(Some(Box::new(pair) as Box<Owned>));
                Ok(Arc::new(Nonces { commitments: commitments.to_bytes(), value }))
            },
            _C => Err(self.scheme().lacks(FROST))
        )
    }

    /// Round two of FROST: this party's signature share. The nonces are used up, whether it succeeds or not.
    ///
    /// # Errors
    /// `Consumed` if the nonces were used before; `Mismatch` if the package is not for this key or these nonces;
    /// `Unconfirmed`.
    pub fn sign(&self, package: Arc<SigningPackage>, nonces: Arc<Nonces>) -> Result<Vec<u8>> {
        let value = lock(&nonces.value).take();
        let value = value.ok_or_else(|| QuorateError::consumed("the pair of nonces"))?;
        by_kind!(self.scheme(),
            S => {
                let pair = unwrap::<Pair<S>>(value)?;
                let share = self.view::<Frost<S>>()?.share.sign(package.view::<S>()?, pair)?;
                Ok(share.to_bytes())
            },
            _C => Err(self.scheme().lacks(FROST))
        )
    }

    /// Pairs of nonces ahead of time, 1 to 65 536, which can be stored.
    ///
    /// # Errors
    /// `Arguments` for ECDSA, or another number.
    pub fn precompute(&self, count: u32) -> Result<Arc<NonceStock>> {
        if !(1..=MOST).contains(&count) {
            return Err(QuorateError::new(
                ErrorKind::Arguments,
                format_args!("got {count} pairs of nonces, expected 1 to {MOST}"),
            ));
        }
        let count = index(count);
        by_kind!(self.scheme(),
            S => {
                let batch = self.view::<Frost<S>>()?.share.precompute(count, &mut rng()?);
                Ok(NonceStock::of::<S>(batch))
            },
            _C => Err(self.scheme().lacks(FROST))
        )
    }
}

/// Pairs of nonces made ahead of time, each of which signs once.
///
/// Seal and store it before its commitments leave, and after each signature; a later one replaces an earlier one, and
/// never the reverse.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct NonceStock {
    pub(crate) scheme: Scheme,
    /// The batch of the scheme's suite.
    value: Mutex<Box<Owned>>,
}

impl NonceStock {
    fn of<S: Suite>(batch: NonceBatch<S>) -> Arc<Self> {
        Arc::new(Self { scheme: S::SCHEME, value: Mutex::new(Box::new(batch)) })
    }

    /// Takes the pair of a package out, and claims it, if the share signs the package. The lock is free again when the table is asked:
    /// it is the caller's code.
    fn claimed(&self, share: &KeyShare, package: &SigningPackage) -> Result<Claimed<Vec<u8>>> {
        by_kind!(self.scheme,
            S => {
                let share = Arc::clone(&share.view::<Frost<S>>()?.share);
                let package = package.view::<S>()?.clone();
                let claim = self.with::<S, _>(|batch| batch.claim_for(&share, &package))??;
                Ok(Claimed::new(claim.record(), move |receipt| {
                    Ok(share.sign(&package, claim.release(receipt)?)?.to_bytes())
                }))
            },
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// Looks at the batch, or takes something out.
    fn with<S: Suite, T>(&self, look: impl FnOnce(&mut NonceBatch<S>) -> T) -> Result<T> {
        let mut value = lock(&self.value);
        let batch = value.downcast_mut().ok_or_else(crate::scheme::other_scheme)?;
        Ok(look(batch))
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl NonceStock {
    /// Opens a sealed stock. `continuity` is the reason why it is known that nothing of it was used meanwhile. With `Unknown`
    /// nothing is left to use.
    ///
    /// # Errors
    /// `Seal` for another key, another scheme or altered bytes.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(
        scheme: Scheme,
        sealed: Vec<u8>,
        key: Arc<SealKey>,
        continuity: Continuity,
    ) -> Result<Arc<Self>> {
        by_kind!(scheme,
            S => Ok(Self::of::<S>(NonceBatch::open(&sealed, key.inner(), continuity.into())?)),
            _C => Err(scheme.lacks(FROST))
        )
    }

    /// The stock, encrypted and authenticated.
    pub fn seal(&self, key: Arc<SealKey>) -> Result<Vec<u8>> {
        by_kind!(self.scheme,
            S => self.with::<S, _>(|batch| batch.seal(key.inner())),
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// The number of changes so far: the stock with the greater one is the later.
    pub fn generation(&self) -> Result<u64> {
        by_kind!(self.scheme,
            S => self.with::<S, _>(|batch| batch.generation()),
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// The commitments to all pairs that are left, in the order in which they were made, for the coordinator.
    pub fn commitments(&self) -> Result<Vec<Vec<u8>>> {
        by_kind!(self.scheme,
            S => self.with::<S, _>(|batch| {
                batch.commitments().map(|one: Commitments<S>| one.to_bytes()).collect()
            }),
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// This party's signature share, with the pair that the package asks for. The pair is taken out, recorded in the
    /// table, and then used. From a stock that was stored before, the same pair for the same package gives the same share again.
    ///
    /// # Errors
    /// `Consumed` if the pair is not here; `Mismatch`, `Unconfirmed` or `Arguments` if the share does not sign this package, and then
    /// the pair stays in the stock; `Spent` if the table has it for another package; `Table` if the table failed, and then nothing
    /// was released.
    pub fn sign(
        &self,
        share: Arc<KeyShare>,
        package: Arc<SigningPackage>,
        table: Arc<dyn SpentTable>,
    ) -> Result<Vec<u8>> {
        self.claimed(&share, &package)?.store(table)
    }

    /// The same for a table that does not answer at once.
    ///
    /// # Errors
    /// `Consumed` if the pair is not here; `Mismatch`, `Unconfirmed` or `Arguments` if the share does not sign this package, and then
    /// the pair stays in the stock.
    pub fn claim(
        &self,
        share: Arc<KeyShare>,
        package: Arc<SigningPackage>,
    ) -> Result<Arc<ShareClaim>> {
        Ok(Arc::new(ShareClaim(self.claimed(&share, &package)?)))
    }
}

/// The coordinator's side of one signature.
struct Coordinating<S: Suite> {
    coordinator: Coordinator<S>,
    session: Inner<S>,
}

/// The coordinator's side of one signature. It holds no secret.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct SigningSession {
    scheme: Scheme,
    /// [`Coordinating`] of the scheme's suite, until it is finished.
    value: Mutex<Option<Box<Owned>>>,
}

impl SigningSession {
    fn with<S: Suite, T>(&self, look: impl FnOnce(&mut Coordinating<S>) -> Result<T>) -> Result<T> {
        let mut value = lock(&self.value);
        let value = value.as_mut().ok_or_else(finished)?;
        look(value.downcast_mut().ok_or_else(crate::scheme::other_scheme)?)
    }

    fn begin<S: Suite>(
        public: &Public<S>,
        commitments: Vec<Received>,
        message: &[u8],
    ) -> Result<Arc<Self>> {
        let coordinator = Coordinator::new(public.clone());
        let session = coordinator.start(pairs(commitments)?, message)?;
        let value: Box<dyn Any + Send> = Box::new(Coordinating { coordinator, session });
        Ok(Arc::new(Self { scheme: S::SCHEME, value: Mutex::new(Some(value)) }))
    }
}

fn finished() -> QuorateError {
    QuorateError::consumed("the signing session")
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl SigningSession {
    /// Fixes the signers, by their commitments, and the message.
    ///
    /// # Errors
    /// `Misbehaviour` names the senders of commitments that cannot be read; `Mismatch`, `Arguments`.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn start(
        public: Arc<PublicKeyPackage>,
        commitments: Vec<Received>,
        message: Vec<u8>,
    ) -> Result<Arc<Self>> {
        by_kind!(public.scheme(),
            S => Self::begin::<S>(public.view::<Frost<S>>()?, commitments, &message),
            _C => Err(public.scheme().lacks(FROST))
        )
    }

    /// The package to send to every signer.
    ///
    /// # Errors
    /// `Consumed` after `aggregate`.
    pub fn package(&self) -> Result<Arc<SigningPackage>> {
        by_kind!(self.scheme,
            S => self.with::<S, _>(|one| Ok(SigningPackage::of::<S>(one.session.package().clone()))),
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// Takes a signature share. `sender` is its sender, as the **authenticated** transport names it.
    ///
    /// # Errors
    /// `Rejected`, with the sender as culprit if it is at fault; the session continues.
    pub fn receive(&self, sender: u16, signature_share: Vec<u8>) -> Result<()> {
        let sender = party(sender)?;
        by_kind!(self.scheme,
            S => self.with::<S, _>(|one| {
                one.session.receive(sender, &signature_share).map_err(|why| rejected(sender, why))
            }),
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// The signers whose signature shares have not come.
    pub fn waiting_for(&self) -> Result<Vec<u16>> {
        by_kind!(self.scheme,
            S => self.with::<S, _>(|one| Ok(numbers(one.session.waiting_for()))),
            _C => Err(self.scheme.lacks(FROST))
        )
    }

    /// Aggregates the signature shares, and verifies the signature.
    ///
    /// # Errors
    /// `Missing` if shares have not come, and then the session continues; `Misbehaviour` names exactly the signers whose
    /// shares are wrong; `Consumed` if it was aggregated before.
    pub fn aggregate(&self) -> Result<Signature> {
        let waiting = self.waiting_for()?;
        if !waiting.is_empty() {
            let check = format_args!("no signature share yet from {waiting:?}").to_string();
            return Err(QuorateError::new(ErrorKind::Missing, check));
        }
        let value = lock(&self.value).take().ok_or_else(finished)?;
        by_kind!(self.scheme,
            S => {
                let Coordinating { coordinator, session } = unwrap::<Coordinating<S>>(value)?;
                let signature = coordinator.aggregate(session)?;
                Ok(Signature::plain(signature.to_bytes().as_ref()))
            },
            _C => Err(self.scheme.lacks(FROST))
        )
    }
}
