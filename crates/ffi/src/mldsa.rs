//! Threshold ML-DSA (FIPS 204), **experimental**: keys, shares, and attempts to sign. Its keys can only sign, and are never
//! refreshed or reshared, so they are objects of their own and no [`Scheme`](crate::Scheme).

use std::sync::{Arc, Mutex};

use quorate::mldsa::{
    self, Attempted, DecodeError, InvalidSignature, KeyShare, MessageError, PublicKeyPackage,
    SignParams, Signature, UsedUp, VerifyingKey,
};
use quorate::session::container::{ContainerError, family_code};
use quorate::session::zeroize::Zeroizing;

use crate::arguments::{lock, numbers, parties, session_id};
use crate::claim::Claimed;
use crate::error::{ErrorKind, QuorateError, Result};
use crate::seal_key::SealKey;
use crate::table::{SpentTable, TableEntry};

/// The purpose under which a share is sealed.
const DOMAIN: &str = "quorate-ffi ML-DSA key share";

/// A parameter set of FIPS 204. Its number is the code of the family in all stored forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
#[repr(u8)]
pub enum MlDsaLevel {
    /// ML-DSA-44, security category 2.
    MlDsa44 = 44,
    /// ML-DSA-65, security category 3.
    MlDsa65 = 65,
    /// ML-DSA-87, security category 5.
    MlDsa87 = 87,
}

impl MlDsaLevel {
    pub(crate) const fn inner(self) -> mldsa::Level {
        match self {
            Self::MlDsa44 => mldsa::Level::MlDsa44,
            Self::MlDsa65 => mldsa::Level::MlDsa65,
            Self::MlDsa87 => mldsa::Level::MlDsa87,
        }
    }

    const fn of(level: mldsa::Level) -> Self {
        match level {
            mldsa::Level::MlDsa44 => Self::MlDsa44,
            mldsa::Level::MlDsa65 => Self::MlDsa65,
            mldsa::Level::MlDsa87 => Self::MlDsa87,
        }
    }

    /// The level that a stored form names.
    fn of_stored(bytes: &[u8]) -> Result<Self> {
        match family_code(bytes)? {
            44 => Ok(Self::MlDsa44),
            65 => Ok(Self::MlDsa65),
            87 => Ok(Self::MlDsa87),
            other => Err(QuorateError::new(
                ErrorKind::Encoding,
                format_args!("no level of ML-DSA has the code {other}"),
            )),
        }
    }
}

impl From<ContainerError> for QuorateError {
    fn from(error: ContainerError) -> Self {
        Self::new(ErrorKind::Encoding, error)
    }
}

impl From<DecodeError> for QuorateError {
    fn from(error: DecodeError) -> Self {
        Self::new(ErrorKind::Encoding, error)
    }
}

impl From<MessageError> for QuorateError {
    fn from(error: MessageError) -> Self {
        Self::new(ErrorKind::Arguments, error)
    }
}

impl From<InvalidSignature> for QuorateError {
    fn from(error: InvalidSignature) -> Self {
        Self::new(ErrorKind::InvalidSignature, error)
    }
}

impl From<UsedUp> for QuorateError {
    fn from(error: UsedUp) -> Self {
        Self::new(ErrorKind::Consumed, error)
    }
}

/// See [`crate::verify_ml_dsa`].
pub(crate) fn verify(
    level: MlDsaLevel,
    key: &[u8],
    message: &[u8],
    context: &[u8],
    signature: &[u8],
) -> Result<()> {
    let signature = Signature::from_bytes(level.inner(), signature)?;
    Ok(VerifyingKey::from_bytes(level.inner(), key)?.verify(message, context, &signature)?)
}

/// The public side of a threshold ML-DSA key, equal at all its parties.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug, Eq, Hash))]
pub struct MlDsaPublicKeyPackage(PublicKeyPackage);

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl MlDsaPublicKeyPackage {
    /// Opens what `to_bytes` gave, of any level.
    ///
    /// # Errors
    /// `Encoding` for anything else.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Arc<Self>> {
        let level = MlDsaLevel::of_stored(&bytes)?.inner();
        Ok(Arc::new(Self(PublicKeyPackage::from_bytes(level, &bytes)?)))
    }

    /// The stored form, which is public. Keep it authentic: culprits are named by it.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The level.
    pub fn level(&self) -> MlDsaLevel {
        MlDsaLevel::of(self.0.level())
    }

    /// The verifying key of FIPS 204: 1312, 1952 or 2592 bytes.
    pub fn verifying_key(&self) -> Vec<u8> {
        self.0.verifying_key().to_bytes()
    }

    /// The verifying key as a `PUBLIC KEY` in PEM (RFC 9881), which OpenSSL takes from version 3.5 on.
    pub fn pem(&self) -> String {
        self.0.verifying_key().to_spki_pem()
    }

    /// The number of parties that sign: exactly as many take part in a signature.
    pub fn threshold(&self) -> u16 {
        self.0.threshold()
    }

    /// The parties that hold shares, ascending.
    pub fn parties(&self) -> Vec<u16> {
        numbers(self.0.parties().iter())
    }

    /// The number of attempts that a share of this key may make in its life.
    pub fn attempts(&self) -> u64 {
        self.0.attempts()
    }

    /// A digest of everything here, 32 bytes. Parties compare it before they confirm a share.
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest().to_vec()
    }

    /// Verifies a signature of a message under a context, which is empty or has at most 255 bytes.
    ///
    /// # Errors
    /// `InvalidSignature`, or `Encoding` for bytes that are none.
    pub fn verify(&self, message: Vec<u8>, context: Vec<u8>, signature: Vec<u8>) -> Result<()> {
        let signature = Signature::from_bytes(self.0.level(), &signature)?;
        Ok(self.0.verifying_key().verify(&message, &context, &signature)?)
    }
}

/// One party's share of a threshold ML-DSA key. It leaves this library sealed. The share may be restored from a backup; the
/// table of attempts must not.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct MlDsaKeyShare(Arc<KeyShare>);

impl MlDsaKeyShare {
    pub(crate) fn of(share: KeyShare) -> Arc<Self> {
        Arc::new(Self(Arc::new(share)))
    }

    pub(crate) fn encode(&self) -> Zeroizing<Vec<u8>> {
        self.0.to_bytes()
    }

    /// Undoes `encode`.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Arc<Self>> {
        let level = MlDsaLevel::of_stored(bytes)?.inner();
        Ok(Self::of(KeyShare::from_bytes(level, bytes)?))
    }

    fn claimed(
        &self,
        number: u64,
        session_id: &[u8],
        signers: &[u16],
        message: &[u8],
        context: &[u8],
    ) -> Result<Claimed<Arc<MlDsaAttempt>>> {
        if !self.0.is_confirmed() {
            return Err(QuorateError::new(ErrorKind::Unconfirmed, "the share is not confirmed"));
        }
        let (sid, signers) = (self::session_id(session_id)?, parties(signers)?);
        let mu = self.0.public().verifying_key().represent(message, context)?;
        let record = self.0.attempt(number, sid, &signers, &mu)?;
        let share = Arc::clone(&self.0);
        Ok(Claimed::new(record, move |receipt| {
            let params = SignParams::new(share, mu, number, receipt);
            Ok(Arc::new(MlDsaAttempt { number, params: Mutex::new(Some(params)) }))
        }))
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl MlDsaKeyShare {
    /// Opens a sealed share, of any level.
    ///
    /// # Errors
    /// `Seal` for another key or altered bytes.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(sealed: Vec<u8>, key: Arc<SealKey>) -> Result<Arc<Self>> {
        Self::decode(&key.inner().open_bytes(DOMAIN, &sealed)?)
    }

    /// The share, with the public side of the key, encrypted and authenticated.
    pub fn seal(&self, key: Arc<SealKey>) -> Vec<u8> {
        key.inner().seal_bytes(DOMAIN, &self.encode())
    }

    /// The party whose share this is.
    pub fn id(&self) -> u16 {
        self.0.id().get()
    }

    /// The public side of the key.
    pub fn public(&self) -> Arc<MlDsaPublicKeyPackage> {
        Arc::new(MlDsaPublicKeyPackage(self.0.public().clone()))
    }

    /// Returns whether all parties have confirmed the run that made it. An unconfirmed share does not sign: see `confirmed`.
    pub fn is_confirmed(&self) -> bool {
        self.0.is_confirmed()
    }

    /// An unconfirmed share, taken for confirmed: your own decision. Ask **all** parties for the `digest` of their public
    /// key first, over channels that you trust.
    pub fn confirmed(&self) -> Result<Arc<Self>> {
        let mut share = KeyShare::from_bytes(self.0.public().level(), &self.0.to_bytes())?;
        share.confirm();
        Ok(Self::of(share))
    }

    /// Begins an attempt to sign a message by exactly as many `signers` as the threshold says: records its number in the table,
    /// **before** there is a session. Its session is of `Task.MlDsaSign`, under this session id. A party counts its attempts from 0; the
    /// others have counts of their own. About every second attempt gives no signature: take the next number, and another session id.
    /// **Look at the message before you sign it.**
    ///
    /// To **open** the session again from its seal, call it again with the same arguments. That starts no second session: the
    /// table has the number already, so `Session.start` fails with `Spent`.
    ///
    /// # Errors
    /// `Spent` if the number was used for something else: take the next one. `Consumed` beyond the last number,
    /// `MlDsaPublicKeyPackage.attempts` − 1: make a new key. `Table` if the table failed, and then nothing was begun. `Unconfirmed`; `Arguments`.
    pub fn attempt(
        &self,
        number: u64,
        session_id: Vec<u8>,
        signers: Vec<u16>,
        message: Vec<u8>,
        context: Vec<u8>,
        table: Arc<dyn SpentTable>,
    ) -> Result<Arc<MlDsaAttempt>> {
        self.claimed(number, &session_id, &signers, &message, &context)?.store(table)
    }

    /// The same for a table that does not answer at once.
    ///
    /// # Errors
    /// As `attempt`, but for those of the table.
    pub fn claim_attempt(
        &self,
        number: u64,
        session_id: Vec<u8>,
        signers: Vec<u16>,
        message: Vec<u8>,
        context: Vec<u8>,
    ) -> Result<Arc<AttemptClaim>> {
        let claimed = self.claimed(number, &session_id, &signers, &message, &context)?;
        Ok(Arc::new(AttemptClaim(claimed)))
    }
}

/// An attempt that waits until a table has recorded its number. See `ShareClaim`.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct AttemptClaim(Claimed<Arc<MlDsaAttempt>>);

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl AttemptClaim {
    /// The name, 32 bytes. It is not secret.
    pub fn id(&self) -> Vec<u8> {
        self.0.id()
    }

    /// The digest of everything that the attempt depends on, 32 bytes. It is not secret.
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest()
    }

    /// Gives the attempt, once the table has answered. A claim is used up even if the call fails.
    ///
    /// # Errors
    /// As `ShareClaim.release`, but for those of signing.
    pub fn release(&self, answer: TableEntry) -> Result<Arc<MlDsaAttempt>> {
        self.0.answered(answer)
    }
}

/// A recorded attempt to sign. It begins one session, whichever copy of the handle is used.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct MlDsaAttempt {
    number: u64,
    /// Until the session begins.
    params: Mutex<Option<SignParams>>,
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl MlDsaAttempt {
    /// The number of the attempt.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl MlDsaAttempt {
    pub(crate) fn take(&self) -> Result<SignParams> {
        lock(&self.params).take().ok_or_else(|| QuorateError::consumed("the attempt"))
    }
}

/// A signer with the number of slots that it has accepted in an attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct MlDsaAccepted {
    /// The signer.
    pub party: u16,
    /// How many of the attempt's slots its rejection sampling let through.
    pub slots: u16,
}

/// Of each signer, ascending.
pub(crate) fn accepted(attempted: &Attempted) -> Vec<MlDsaAccepted> {
    let accepted = attempted.accepted.iter();
    accepted.map(|(party, slots)| MlDsaAccepted { party: party.get(), slots: *slots }).collect()
}
