//! The signer: one pair of nonces at a time.

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::{Family, ShareState};
use quorate_session::wire::{Reader, bounded, index};
use quorate_session::{ClaimRecord, PartyId, SealError, SealKey, SessionId, SpentTable};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::coordinator::most_sessions;
use super::error::Refused;
use super::messages::{Answer, AnswerShare, Request, digest};
use crate::error::{ClaimError, DecodeError, SignError};
use crate::family::Frost;
use crate::key::KeyShare;
use crate::nonces::{Commitments, NonceBatch, Nonces};
use crate::package::SigningPackage;
use crate::suite::Ciphersuite;
use crate::wire::ROAST_SIGNER;

/// A signer's side of a robust signing run: ePrint 2022/550, the signer's algorithm.
///
/// A signer has one pair of nonces that is published and not spent, and signs one message. A request takes the pair
/// by value, and the answer publishes the next one. Three rules keep it safe in the caller's store, as they do a
/// [`NonceBatch`]:
///
/// 1. **Seal, store, send.** Store [`Self::seal`] after [`Self::start`] and after each [`Self::answer`], before
///    [`Self::message`] is sent. After a crash in between, open the signer and send the message again.
/// 2. **A greater [`Self::generation`] replaces a smaller one**, compared and swapped, and never the reverse.
/// 3. **The table of spent nonces outlives every restore.** A pair is recorded in it before its share is made. A
///    restored state gives the same share for the same request again, and is refused for another one.
pub struct RoastSigner<S: Ciphersuite> {
    run: SessionId,
    /// The digest of the message.
    text: [u8; 32],
    /// n − t + 1
    most: u16,
    /// The last session that was answered; 0 before the first.
    answered: u16,
    /// The digest of its request.
    request: [u8; 32],
    batch: NonceBatch<S>,
    /// The message that was sent last.
    sent: Vec<u8>,
}

impl<S: Ciphersuite> RoastSigner<S> {
    /// Takes part in a run that signs `message`, which the application has approved. It signs no other message.
    /// `run` is agreed on with the coordinator, and never used again.
    ///
    /// # Errors
    /// [`SignError::Unconfirmed`] for a share that does not sign.
    pub fn start(
        share: &KeyShare<S>,
        run: SessionId,
        message: &[u8],
        rng: &mut impl CryptoRng,
    ) -> Result<Self, SignError> {
        if share.state() == ShareState::Unconfirmed {
            return Err(SignError::Unconfirmed);
        }
        let batch = share.precompute(1, rng);
        let most = most_sessions(share.parties().count(), share.threshold());
        let mut signer = Self {
            run,
            text: digest("text", message),
            most,
            answered: 0,
            request: [0; 32],
            batch,
            sent: Vec::new(),
        };
        if let Some(next) = signer.published() {
            signer.sent = Answer { run, next, share: None }.to_bytes();
        }
        Ok(signer)
    }

    /// The message to send to the coordinator: the first one, or the last answer. Sending it again does no harm.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.sent
    }

    /// The run.
    #[must_use]
    pub const fn run(&self) -> SessionId {
        self.run
    }

    /// The party.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.batch.id()
    }

    /// The number of changes of its nonces: see [`NonceBatch::generation`].
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.batch.generation()
    }

    /// The commitments to the pair that waits.
    fn published(&self) -> Option<Commitments<S>> {
        self.batch.commitments().next()
    }

    /// Answers the coordinator's request: the share of its session, and the commitments for the next one. The very request
    /// that was answered last is answered by the same bytes.
    ///
    /// `share` is the one that the signer was started with. The nonces are recorded in `table` before the share is made.
    ///
    /// # Errors
    /// [`Refused`]: nothing is signed. Unless it says otherwise, the nonces wait for another request.
    pub fn answer<T: SpentTable>(
        &mut self,
        share: &KeyShare<S>,
        request: &[u8],
        table: &mut T,
        rng: &mut impl CryptoRng,
    ) -> Result<&[u8], Refused<T::Error>> {
        let asked = Request::<S>::from_bytes(request).map_err(Refused::Malformed)?;
        let name = digest("request", request);
        if self.answered > 0 && name == self.request {
            return Ok(&self.sent);
        }
        self.admits(&asked)?;
        let mine = self.published().ok_or(Refused::NoNonces)?;
        share.check(&asked.package, &mine).map_err(Refused::Sign)?;
        let nonces = self.release(share, &asked.package, &mine, table)?;
        let signed = share.sign(&asked.package, nonces).map_err(Refused::Sign)?;
        // The share is this batch's own, or `check` had refused it.
        let _own = share.replenish(&mut self.batch, 1, rng);
        let next = self.published().ok_or(Refused::NoNonces)?;
        let session = asked.session;
        let part = AnswerShare { session, package: signed.package, z: signed.z };
        self.sent = Answer { run: self.run, next, share: Some(part) }.to_bytes();
        (self.answered, self.request) = (session, name);
        Ok(&self.sent)
    }

    /// Checks that a request is of this run, of its message, and the next one.
    fn admits<E>(&self, asked: &Request<S>) -> Result<(), Refused<E>> {
        let (got, answered, most) = (asked.session, self.answered, self.most);
        if asked.run != self.run {
            return Err(Refused::OtherRun);
        }
        if digest("text", asked.package.message()) != self.text {
            return Err(Refused::OtherMessage);
        }
        if got <= answered {
            return Err(Refused::NotNext { got, answered });
        }
        if got > most {
            return Err(Refused::TooManySessions { got, most });
        }
        Ok(())
    }

    /// Takes the pair out, recorded as spent on this package.
    fn release<T: SpentTable>(
        &mut self,
        share: &KeyShare<S>,
        package: &SigningPackage<S>,
        mine: &Commitments<S>,
        table: &mut T,
    ) -> Result<Nonces<S>, Refused<T::Error>> {
        let record = ClaimRecord { id: mine.nonce_id().0, digest: package.digest(None) };
        let receipt = record.store(table).map_err(Refused::Record)?;
        let claim = self.batch.claim_for(share, package).map_err(|why| match why {
            ClaimError::NoNonces => Refused::NoNonces,
            ClaimError::Sign(why) => Refused::Sign(why),
        })?;
        claim.release(receipt).map_err(|_| Refused::NoNonces)
    }

    /// The signer, encrypted under the caller's key.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        Frost::<S>::label(ROAST_SIGNER).seal(key, &self.encode())
    }

    /// Opens a sealed signer.
    ///
    /// # Errors
    /// [`SealError::Container`] if the bytes are no sealed signer of this suite or were altered,
    /// [`SealError::Unauthentic`] for another key.
    pub fn open(sealed: &[u8], key: &SealKey) -> Result<Self, SealError> {
        let (_, bytes) = Frost::<S>::label(ROAST_SIGNER).unseal(key, sealed)?;
        Self::decode(&bytes).map_err(|_| SealError::Malformed)
    }

    /// run ‖ digest of the message ‖ most sessions ‖ last session ‖ digest of its request ‖ length of what was sent ‖ that ‖
    /// batch.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let batch = self.batch.encode();
        let room = batch.len() + self.sent.len() + 32 * 3 + 8;
        // Room for all of it at once: a buffer that grew would leave secrets behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(room));
        bytes.extend_from_slice(self.run.as_bytes());
        bytes.extend_from_slice(&self.text);
        bytes.extend_from_slice(&self.most.to_be_bytes());
        bytes.extend_from_slice(&self.answered.to_be_bytes());
        bytes.extend_from_slice(&self.request);
        // An answer, of two points, a share and a few numbers.
        let sent: u32 = bounded(self.sent.len());
        bytes.extend_from_slice(&sent.to_be_bytes());
        bytes.extend_from_slice(&self.sent);
        bytes.extend_from_slice(&batch);
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let (run, text) = (SessionId::new(reader.array()?), reader.array()?);
        let (most, answered, request) = (reader.u16()?, reader.u16()?, reader.array()?);
        let length = index(reader.u32()?);
        let sent = reader.bytes(length)?.to_vec();
        let batch = NonceBatch::decode(reader.bytes(reader.remaining())?)?;
        Ok(Self { run, text, most, answered, request, batch, sent })
    }
}

impl<S: Ciphersuite> fmt::Debug for RoastSigner<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoastSigner")
            .field("run", &self.run)
            .field("signer", &self.id())
            .field("answered", &self.answered)
            .finish_non_exhaustive()
    }
}
