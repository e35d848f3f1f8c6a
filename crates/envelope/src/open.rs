//! The opening of envelopes.

use core::cmp::Ordering;
use core::fmt;

use quorate_session::PartyId;
use quorate_session::wire::Reader;
use zeroize::Zeroizing;

use crate::binding;
use crate::challenge::{Answer, Challenges, Stale};
use crate::header::{Header, HeaderError};
use crate::identity::Identity;
use crate::list::{self, Messages};
use crate::name::Name;
use crate::open_error::{Check, EnvelopeError};
use crate::suite::{self, Bound, Detached, ENCAPSULATED, TAG};
use crate::trust::TrustedDirectory;
use crate::versions::Versions;

/// The longest envelope, in bytes: that of the longest content, between the longest names, in answer to a challenge.
pub const MAX_ENVELOPE: usize = list::MAX_CONTENT + 361;
const SIGNATURE: usize = 64;

/// The keys and the directory that envelopes are opened with. It borrows them, and costs nothing to make for each envelope.
#[derive(Debug)]
pub struct Opener<'a> {
    directory: &'a TrustedDirectory,
    identity: &'a Identity,
    previous: Option<&'a Identity>,
    understood: Versions,
}

/// An envelope that was opened: its sender made it for this member.
///
/// Anybody who has seen an envelope can send it again. So the messages come in one of two ways: by
/// [`fresh`](Self::fresh), once, or by [`replayable`](Self::replayable), if doing it twice does no harm.
#[must_use = "the messages are in `fresh` or `replayable`"]
pub struct Opened {
    /// The part that stood in clear, which the sender has signed.
    pub header: Header,
    /// The party that the sender is; `None` if the member is not a party.
    pub party: Option<PartyId>,
    /// The sender's directory, compared with the recipient's.
    pub sender_directory: SenderDirectory,
    messages: Messages,
}

/// The directory of a sender, compared with the recipient's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SenderDirectory {
    /// Both have the same directory.
    Same,
    /// The sender has an older version: it has missed an update, or was restored.
    Older(u64),
    /// The sender has a newer version, or says so: this node has missed an update, or was restored.
    Newer(u64),
    /// There are two directories of one version: ask the administrators.
    Fork,
}

/// The header and the number of messages.
impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opened({:?}, {} messages)", self.header, self.messages.len())
    }
}

/// The parts of an envelope.
struct Parts<'b> {
    header: &'b [u8],
    detached: Detached,
    ciphertext: &'b [u8],
    signed: &'b [u8],
    signature: &'b [u8; SIGNATURE],
}

impl<'a> Opener<'a> {
    /// An opener of envelopes for this identity, in version 1 of the application's messages.
    #[must_use]
    pub const fn new(identity: &'a Identity, directory: &'a TrustedDirectory) -> Self {
        Self { directory, identity, previous: None, understood: Versions::FIRST }
    }

    /// Opens envelopes for a second identity of the same name, too: during a rotation, whose previous keys senders may
    /// still use, or whose next keys others know already.
    #[must_use]
    pub const fn with_other_keys(self, other: &'a Identity) -> Self {
        Self { previous: Some(other), ..self }
    }

    /// Sets the versions of messages that are understood.
    #[must_use]
    pub const fn understanding(self, understood: Versions) -> Self {
        Self { understood, ..self }
    }

    /// Opens an envelope. Nothing is decrypted before the sender's signature has been verified.
    ///
    /// # Errors
    /// An [`EnvelopeError`] with the claimed sender and the check that failed.
    pub fn open(&self, envelope: &[u8]) -> Result<Opened, EnvelopeError> {
        let refused = |sender, check| EnvelopeError { sender, check };
        if envelope.len() > MAX_ENVELOPE {
            return Err(refused(None, Check::TooLong(envelope.len())));
        }
        let (header, parts) = split(envelope).map_err(|check| refused(None, check))?;
        match self.open_parts(&header, &parts) {
            Ok((party, messages)) => {
                let sender_directory = self.compare(&header);
                Ok(Opened { header, party, sender_directory, messages })
            }
            Err(check) => Err(refused(Some(header.sender.name), check)),
        }
    }

    fn open_parts(
        &self,
        header: &Header,
        parts: &Parts<'_>,
    ) -> Result<(Option<PartyId>, Messages), Check> {
        let directory = self.directory.directory();
        let sender = directory.member(&header.sender.name).ok_or(Check::UnknownSender)?;
        let key = sender.key(header.sender.key).ok_or(Check::SenderKey {
            key: header.sender.key,
            claimed: header.directory.version(),
            ours: directory.version(),
        })?;
        if !key.verifies(binding::signed(directory.deployment(), parts.signed), parts.signature) {
            return Err(Check::Signature);
        }
        let recipient = &header.recipient;
        if recipient.name != *self.identity.name() {
            return Err(Check::Recipient(recipient.name.clone()));
        }
        let mut identities = [Some(self.identity), self.previous].into_iter().flatten();
        let identity = identities
            .find(|identity| identity.id() == recipient.key && *identity.name() == recipient.name);
        let identity = identity.ok_or(Check::RecipientKey(recipient.key))?;
        if !self.understood.contains(header.spoken.version) {
            return Err(Check::Version { spoken: header.spoken, understood: self.understood });
        }
        let mut list = Zeroizing::new(parts.ciphertext.to_vec());
        let info = binding::info(directory.deployment());
        let bound = Bound { info: &info, header: parts.header };
        suite::open(identity.opening(), bound, &parts.detached, &mut list).ok_or(Check::Seal)?;
        let messages = list::read(&list).ok_or(Check::List)?;
        Ok((sender.party, messages))
    }

    fn compare(&self, header: &Header) -> SenderDirectory {
        let (ours, theirs) = (self.directory.id(), header.directory);
        let version = theirs.version();
        match version.cmp(&ours.version()) {
            Ordering::Less => SenderDirectory::Older(version),
            Ordering::Greater => SenderDirectory::Newer(version),
            Ordering::Equal if ours == theirs => SenderDirectory::Same,
            Ordering::Equal => SenderDirectory::Fork,
        }
    }
}

fn split(bytes: &[u8]) -> Result<(Header, Parts<'_>), Check> {
    let mut reader = Reader::new(bytes);
    let header = Header::read(&mut reader).map_err(|error| match error {
        HeaderError::Form => Check::Form,
        HeaderError::Format(got) => Check::Format(got),
    })?;
    let parts = parts(bytes, reader).ok_or(Check::Form)?;
    Ok((header, parts))
}

/// The parts, whose header was read already.
fn parts<'b>(bytes: &'b [u8], mut reader: Reader<'b>) -> Option<Parts<'b>> {
    let header = bytes.get(..bytes.len().checked_sub(reader.remaining())?)?;
    let (signed, signature) = bytes.split_last_chunk()?;
    let encapsulated: [u8; ENCAPSULATED] = reader.array().ok()?;
    let length = reader.remaining().checked_sub(TAG + SIGNATURE)?;
    let ciphertext = reader.bytes(length).ok()?;
    let detached = Detached { encapsulated, tag: reader.array().ok()? };
    Some(Parts { header, detached, ciphertext, signed, signature })
}

impl Opened {
    /// The sender.
    #[must_use]
    pub const fn sender(&self) -> &Name {
        &self.header.sender.name
    }

    /// The messages, which may have come before: for messages that do no harm when they come twice, as the packets of
    /// sessions.
    #[must_use]
    pub fn replayable(self) -> Messages {
        self.messages
    }

    /// The messages, if the envelope answers a challenge that `challenges` has issued to this sender for this kind, and
    /// that nobody has answered yet.
    ///
    /// # Errors
    /// [`Stale`]. The messages are dropped.
    pub fn fresh(self, challenges: &mut Challenges, now: u64) -> Result<Messages, Stale> {
        let Header { answers, kind, .. } = self.header;
        let sender = &self.header.sender.name;
        challenges.answered(&Answer { nonce: answers, sender, kind, now })?;
        Ok(self.messages)
    }
}
